import { parseArgs } from 'node:util'
import type { Role } from '../stack/services/carillon.ts'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { downStack } from '../stack/src/down.ts'
import type { StackInfo } from '../stack/src/stack-info.ts'
import { isUp, readState, stackDir, stackNames } from '../stack/src/state.ts'
import { upStack } from '../stack/src/up.ts'

const usage = `pnpm stack up [--json] [--name NAME] [--roles api,worker | --workers N] [--fsync off] [--s3] [--mail]
pnpm stack down [--name NAME | --all] [--clean]
pnpm stack list`

exitWithHelp(usage)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    name: { type: 'string', default: 'default' },
    roles: { type: 'string', default: 'all' },
    workers: { type: 'string' },
    fsync: { type: 'string', default: 'on' },
    s3: { type: 'boolean', default: false },
    mail: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    clean: { type: 'boolean', default: false },
  },
})

/** Progress goes to stderr: stdout has only the result. */
function printProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function up(): Promise<void> {
  const state = await readState(stackDir(values.name))
  if (isUp(state)) {
    printProgress(`stack "${values.name}" is already up`)
    return printInfo(state.info)
  }
  const stack = await upStack({
    name: values.name,
    roles: values.roles.split(',').map(parseRole),
    ...(values.workers !== undefined && { workers: parseWorkers(values.workers) }),
    fsync: values.fsync !== 'off',
    s3: values.s3,
    mail: values.mail,
    report: ({ name, tookMs }) => printProgress(`✔ ${name} (${(tookMs / 1000).toFixed(1)} s)`),
  })
  printInfo(stack.info)
}

async function down(): Promise<void> {
  for (const name of values.all ? await stackNames() : [values.name]) {
    await downStack(name, { clean: values.clean })
    printProgress(`✔ ${name} is down`)
  }
}

async function list(): Promise<void> {
  for (const name of await stackNames()) {
    const state = await readState(stackDir(name))
    process.stdout.write(`${name}  ${isUp(state) ? state.info.baseUrl : 'down'}\n`)
  }
}

function printInfo(info: StackInfo): void {
  if (values.json) return void process.stdout.write(`${JSON.stringify(info)}\n`)
  const lines = [
    ['API', info.baseUrl],
    ['API key', info.apiKey],
    ['Workspace', info.workspaceId],
    ['Connections', info.connections.join(' ')],
    ['Simulator', info.simulatorUrl],
    ['Database', info.databaseUrl],
    ...(info.s3 ? [['S3', `${info.s3.endpoint}/${info.s3.bucket}`]] : []),
    ...(info.mail ? [['Mail', info.mail.readUrl]] : []),
    ['Logs and data', info.dir],
  ]
  process.stdout.write(lines.map(([label = '', value]) => `${label.padEnd(14)} ${value}\n`).join(''))
}

function parseRole(word: string): Role {
  if (word === 'all' || word === 'api' || word === 'worker') return word
  throw new Error(`a role is all, api or worker, but got "${word}"`)
}

function parseWorkers(text: string): number {
  const workers = Number(text)
  if (Number.isInteger(workers) && workers >= 1 && workers <= 16) return workers
  throw new Error(`--workers must be a number from 1 to 16, but got "${text}"`)
}

const commands: Record<string, () => Promise<void>> = { up, down, list }
const command = commands[positionals[0] ?? '']
if (!command) {
  printProgress(usage)
  process.exitCode = 2
} else {
  await command().catch((error: unknown) => {
    printProgress(`✘ ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  })
}

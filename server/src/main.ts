import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { connectCommand } from './commands/connect.ts'
import { fenceLiftCommand, fenceStatusCommand } from './commands/fence.ts'
import { restoreFinishCommand } from './commands/restore.ts'
import { serveCommand } from './commands/serve.ts'
import { setupCommand } from './commands/setup.ts'
import { readConfig } from './config.ts'
import { migrate } from './infra/db/migrate.ts'

const usage = `carillon <command>

  serve    [--role all|api|worker]            run the service
  migrate                                     bring the database schema forward
  setup    [--workspace NAME] [--email E]     make the first workspace and API key
  connect  --workspace ID                     add connections given as JSON on standard input
  fence    status                             show whether sending is stopped, and why
  fence    lift --nothing-lost                start sending again: the database is complete
  restore  finish --lost-from T --lost-until T
                                              start sending again after a restore; times with an offset

  --json   print the result as JSON`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    role: { type: 'string', default: 'all' },
    workspace: { type: 'string' },
    email: { type: 'string' },
    'nothing-lost': { type: 'boolean', default: false },
    'lost-from': { type: 'string' },
    'lost-until': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

function print(result: unknown): void {
  console.log(values.json ? JSON.stringify(result) : JSON.stringify(result, null, 2))
}

/** Commands of two words; the others have one. */
const twoWords = new Set(['fence', 'restore'])
const command = twoWords.has(positionals[0] ?? '') ? positionals.slice(0, 2).join(' ') : positionals[0]

switch (command) {
  case 'serve': {
    const { role } = values
    if (role !== 'all' && role !== 'api' && role !== 'worker') throw new Error(`--role must be all, api or worker, not "${role}"`)
    await serveCommand(readConfig(), role)
    break
  }
  case 'migrate':
    print({ applied: await migrate(readConfig().databaseUrl) })
    break
  case 'setup':
    print(
      await setupCommand(readConfig(), {
        workspace: values.workspace ?? 'My workspace',
        email: values.email ?? 'owner@example.com',
      }),
    )
    break
  case 'connect':
    if (!values.workspace) throw new Error('--workspace is required')
    print(await connectCommand(readConfig(), { workspaceId: values.workspace, json: await text(process.stdin) }))
    break
  case 'fence status':
    print(await fenceStatusCommand(readConfig()))
    break
  case 'fence lift':
    print(await fenceLiftCommand(readConfig(), { nothingLost: values['nothing-lost'] }))
    break
  case 'restore finish':
    if (!values['lost-from'] || !values['lost-until']) throw new Error('--lost-from and --lost-until are required')
    print(await restoreFinishCommand(readConfig(), { lostFrom: values['lost-from'], lostUntil: values['lost-until'] }))
    break
  default:
    console.error(usage)
    process.exitCode = 2
}

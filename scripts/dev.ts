import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../stack/services/folders.ts'
import { memoryBytes } from '../stack/services/live-process.ts'
import { upStack, type Stack } from '../stack/src/up.ts'

const [green, red, dim, bold, plain] = [32, 31, 2, 1, 0].map((code) => (process.stdout.isTTY ? `\u001b[${code}m` : ''))
const dir = join(root, '.dev')
const watchEveryMs = 1000

function say(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** Everything on one machine, in the foreground, with its data kept from one day to the next. */
async function dev(): Promise<void> {
  say(`${bold}Carillon${plain} ${dim}on this machine; Ctrl-C ends it${plain}\n`)
  // Listened for from the start: a Ctrl-C while things come up must still end all of them.
  const ending = new Promise<void>((end) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end())
  })
  const begin = performance.now()
  const stack = await upStack({
    dir,
    keepsData: true,
    ports: { api: 3000, simulator: 4010 },
    report: ({ name, tookMs }) => say(`${green}✔${plain} ${name} ${dim}(${seconds(tookMs)})${plain}`),
  })
  welcome(stack, performance.now() - begin)
  const dead = await Promise.race([ending, firstDeath(stack)])
  if (dead !== undefined) {
    say(`\n${red}✘${plain} ${dead} ended by itself; its log is in ${dir}`)
    process.exitCode = 1
  }
  say(`\n${dim}stopping…${plain}`)
  await stack.stop()
  say(`${green}✔${plain} stopped; data stay in .dev`)
}

function welcome({ info, postgres, restate, simulator, servers }: Stack, tookMs: number): void {
  const parts = [postgres, restate, simulator, ...Object.values(servers)]
  const mib = parts.reduce((sum, { pid }) => sum + memoryBytes(pid), 0) / 2 ** 20
  const [connection = ''] = info.connections
  const body = JSON.stringify({ text: 'Hello from Carillon', connections: [connection] })
  say(`\nReady in ${seconds(tookMs)}, using ${Math.round(mib)} MB of memory.\n`)
  say(`  API         ${bold}${info.baseUrl}${plain}`)
  say(`  Reference   ${info.baseUrl.replace(/\/api$/, '/docs')}`)
  say(`  API key     ${info.apiKey}`)
  say(`  Workspace   ${info.workspaceId}`)
  say(`  Accounts    ${info.connections.join('  ')}`)
  say(`  The feed    ${bold}${info.simulatorUrl}${plain} ${dim}(what the simulated platforms show)${plain}`)
  say('\nPublish a first post:\n')
  say(`  curl ${info.baseUrl}/content/text \\`)
  say(`    -H 'Authorization: Bearer ${info.apiKey}' -H 'X-Workspace-Id: ${info.workspaceId}' \\`)
  say(`    -H 'Content-Type: application/json' -d '${body}'\n`)
}

/** The name of the first part that ends without being asked to. */
async function firstDeath({ postgres, restate, simulator, servers }: Stack): Promise<string> {
  const parts = [postgres, restate, simulator, ...Object.values(servers)]
  for (;;) {
    const dead = parts.find((part) => !part.isAlive())
    if (dead) return dead.name
    await sleep(watchEveryMs)
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

try {
  await dev()
} catch (error) {
  say(`${red}✘${plain} ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
// The watch on the parts and open connections would hold the process; everything worth waiting for is done.
process.exit()

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { root } from '../stack/services/folders.ts'
import { freePort, isFree } from '../stack/services/free-ports.ts'
import { memoryBytes } from '../stack/services/live-process.ts'
import { readStorageNotice } from '../stack/services/simulator.ts'
import { upStack, type Stack } from '../stack/src/up.ts'
import { startVite } from './dev/start-vite.ts'

const [green, red, dim, bold, plain] = [32, 31, 2, 1, 0].map((code) => (process.stdout.isTTY ? `\u001b[${code}m` : ''))
const dir = join(root, '.dev')
const checkEveryMs = 1000
const webPort = 3000

function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** Runs everything on one machine in the foreground. Data stay in .dev until the next run. */
async function dev(): Promise<void> {
  print(`${bold}Carillon${plain} ${dim}on this machine; Ctrl-C stops it${plain}\n`)
  // Listens before the start, so that Ctrl-C during the start also stops every service.
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  const begin = performance.now()
  // Vite is in front of the server, so that the app has hot reload and people and links know only one address. It is a
  // name, because browsers refuse passkeys for 127.0.0.1.
  const port = (await isFree(webPort)) ? webPort : await freePort()
  const url = `http://localhost:${port}`
  const stack = await upStack({
    dir,
    keepsData: true,
    ports: { api: 3001, simulator: 4010 },
    env: { CARILLON_PUBLIC_URL: url },
    report: ({ name, tookMs }) => print(`${green}✔${plain} ${name} ${dim}(${seconds(tookMs)})${plain}`),
  })
  const vite = await startVite({ port, apiUrl: stack.info.baseUrl.replace(/\/api$/, '') })
  print(`${green}✔${plain} Web app`)
  printWelcome(stack, url, performance.now() - begin)
  const notice = await readStorageNotice(stack.info.simulatorUrl)
  if (notice !== null) print(`${red}!${plain} Simulator: ${notice}\n`)
  const ended = await Promise.race([interrupted, waitForEndedService(stack)])
  if (ended !== undefined) {
    print(`\n${red}✘${plain} ${ended} ended unexpectedly; its log is in ${dir}`)
    process.exitCode = 1
  }
  print(`\n${dim}stopping…${plain}`)
  await vite.close()
  await stack.stop()
  print(`${green}✔${plain} stopped; the data are in .dev`)
}

function printWelcome({ info, postgres, restate, simulator, servers }: Stack, url: string, tookMs: number): void {
  const services = [postgres, restate, simulator, ...Object.values(servers)]
  const mib = services.reduce((sum, { pid }) => sum + memoryBytes(pid), 0) / 2 ** 20
  const [connection = ''] = info.connections
  const body = JSON.stringify({ text: 'Hello from Carillon', connections: [connection] })
  print(`\nReady in ${seconds(tookMs)}, using ${Math.round(mib)} MB of memory.\n`)
  print(`  Web app     ${bold}${url}${plain}`)
  print(`  API         ${url}/api`)
  print(`  Reference   ${url}/docs`)
  print(`  API key     ${info.apiKey}`)
  print(`  Workspace   ${info.workspaceId}`)
  print(`  Accounts    ${info.connections.join('  ')}`)
  print(`  Feed        ${bold}${info.simulatorUrl}${plain} ${dim}(what the simulated platforms show)${plain}`)
  print(`  Faults      ${info.simulatorUrl}/faults ${dim}(let them fail and see what happens)${plain}`)
  print(
    `  Webhooks    https://127.0.0.1:<port> ${dim}(with the certificate .dev/tls/loopback.crt, see docs/guides/webhooks.md)${plain}`,
  )
  print('\nPublish a first post:\n')
  print(`  curl ${url}/api/content/text \\`)
  print(`    -H 'Authorization: Bearer ${info.apiKey}' -H 'X-Workspace-Id: ${info.workspaceId}' \\`)
  print(`    -H 'Content-Type: application/json' -d '${body}'\n`)
}

/** Returns the name of the first service that ends by itself. */
async function waitForEndedService({ postgres, restate, simulator, servers }: Stack): Promise<string> {
  const services = [postgres, restate, simulator, ...Object.values(servers)]
  for (;;) {
    const ended = services.find((service) => !service.isAlive())
    if (ended) return ended.name
    await sleep(checkEveryMs)
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

exitWithHelp('pnpm dev   runs everything on this machine with simulated platforms, until Ctrl-C; the data stay in .dev')
try {
  await dev()
} catch (error) {
  print(`${red}✘${plain} ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
// The service check and open connections would keep the process running, but all work is done.
process.exit()

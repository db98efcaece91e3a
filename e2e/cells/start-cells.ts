import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { upStack, type Stack } from '@carillon/stack'
import { freePorts, root, startProgram, type Running } from '@carillon/stack/services'
import { makeStrict } from '../chaos/stack/start-chaos-stack.ts'
import { createSimulatorControl, type SimulatorControl } from '../chaos/stack/simulator-control.ts'

export type Cells = {
  /** Where the workspace begins, and the other one. Both use the platforms of the first. */
  first: Stack
  second: Stack
  router: Running
  /** The public address of all cells. */
  url: string
  simulator: SimulatorControl
  /** The file with the settings of a cell that `carillon move-workspace --to` reads. */
  settingsOf(cell: 'first' | 'second'): string
  stop(): Promise<void>
}

/** Two installations, each with its own database, engine, keys and media folder, behind a router. */
export async function startCells(): Promise<Cells> {
  const [port = 0, healthPort = 0] = await freePorts(2)
  const url = `http://127.0.0.1:${port}`
  const env = { CARILLON_PUBLIC_URL: url, CARILLON_TRUSTED_PROXIES: '127.0.0.1', CARILLON_REQUESTS_PER_MINUTE: '100000' }
  const first = await upStack({ name: 'cells-first', fsync: false, env: { ...env, CARILLON_CELL: '1' } })
  const started: { stop(): Promise<void> }[] = [first]
  const stop = async () => {
    for (const each of started.toReversed()) await each.stop()
  }
  try {
    const origins = { CARILLON_PLATFORM_ORIGINS: first.env['CARILLON_PLATFORM_ORIGINS'] ?? '' }
    // Webhooks go to an address of the first stack, whose certificate the second one must accept too.
    const trust = { NODE_EXTRA_CA_CERTS: first.env['NODE_EXTRA_CA_CERTS'] ?? '' }
    const second = await upStack({
      name: 'cells-second',
      fsync: false,
      env: { ...env, ...origins, ...trust, CARILLON_CELL: '2' },
    })
    started.push(second)
    const router = await startProgram({
      name: 'Carillon router',
      command: process.execPath,
      args: [join(root, 'server/src/main.ts'), 'router'],
      cwd: root,
      env: {
        CARILLON_PORT: String(port),
        CARILLON_HEALTH_PORT: String(healthPort),
        CARILLON_PUBLIC_URL: url,
        CARILLON_ROUTER_CELLS: [first, second].map(({ info }, n) => `${n + 1}=${new URL(info.baseUrl).origin}`).join(','),
        CARILLON_ROUTER_DEFAULT_CELL: '1',
      },
      logFile: join(first.info.dir, 'logs/carillon-router.log'),
      isReady: async () => (await fetch(`http://127.0.0.1:${healthPort}/health/ready`)).ok,
      readyWithinMs: 120_000,
    })
    started.push(router)
    const simulator = createSimulatorControl(first.info.simulatorUrl)
    await makeStrict(simulator)
    const files = { first: await writeSettings(first), second: await writeSettings(second) }
    return { first, second, router, url, simulator, settingsOf: (cell) => files[cell], stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function writeSettings({ env, info }: Stack): Promise<string> {
  const file = join(info.dir, 'settings.env')
  const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  return file
}

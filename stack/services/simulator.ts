import { join } from 'node:path'
import { root } from './folders.ts'
import { freePort } from './free-ports.ts'
import { jsonRequest } from './json-request.ts'
import { startProgram, type Running } from './process.ts'
import { responds } from './wait-until.ts'

export type SimulatorOptions = {
  dir: string
  port?: number
  /** The folder in which accounts and posts stay from one start to the next. Without it they are in memory only. */
  dataDir?: string | undefined
}

export type Simulator = Running & { port: number; url: string }

/** What a person should know about the data the simulator keeps, for example that they could not be read. */
export async function readStorageNotice(simulatorUrl: string): Promise<string | null> {
  const { notice } = await jsonRequest(`${simulatorUrl}/_control/storage`)
  return typeof notice === 'string' ? notice : null
}

/** Starts the simulated platforms in a process of their own, so that they still know what was posted after the server has crashed. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const running = await startProgram({
    name: 'simulator',
    command: process.execPath,
    args: [
      join(root, 'simulator/src/main.ts'),
      '--port',
      String(port),
      ...(options.dataDir === undefined ? [] : ['--data', options.dataDir]),
    ],
    cwd: root,
    logFile: join(options.dir, 'simulator.log'),
    isReady: () => responds(url),
  })
  return Object.assign(running, { port, url })
}

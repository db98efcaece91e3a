import { join } from 'node:path'
import { root } from './folders.ts'
import { freePort } from './free-ports.ts'
import { startProgram, type Running } from './process.ts'
import { responds } from './wait-until.ts'

export type SimulatorOptions = {
  dir: string
  port?: number
  /** Keep accounts and posts in `dir` from one start to the next. */
  keepsData?: boolean
}

export type Simulator = Running & { port: number; url: string }

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
      ...(options.keepsData ? ['--data', join(options.dir, 'simulator')] : []),
    ],
    cwd: root,
    logFile: join(options.dir, 'simulator.log'),
    isReady: () => responds(url),
  })
  return Object.assign(running, { port, url })
}

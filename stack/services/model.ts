import { join } from 'node:path'
import { root } from './folders.ts'
import { startProgram, type Running } from './process.ts'
import { responds } from './wait-until.ts'

export type Model = Running & { url: string }

/** Starts the simulated language model: a server with the OpenAI protocol and fixed answers, for the AI endpoints. */
export async function startModel({ dir, port }: { dir: string; port: number }): Promise<Model> {
  const url = `http://127.0.0.1:${port}/v1`
  const running = await startProgram({
    name: 'model',
    command: process.execPath,
    args: [join(root, 'simulator/src/ai/main.ts'), '--port', String(port)],
    cwd: root,
    logFile: join(dir, 'model.log'),
    isReady: () => responds(`${url}/models`),
  })
  return Object.assign(running, { url })
}

import { rm } from 'node:fs/promises'
import { stackDir, stopProcesses } from './state.ts'

/** Stops a stack that any process has started; `clean` also removes its data and logs. */
export async function downStack(name: string, { clean = false }: { clean?: boolean } = {}): Promise<void> {
  const dir = stackDir(name)
  await stopProcesses(dir)
  if (clean) await rm(dir, { recursive: true, force: true })
}

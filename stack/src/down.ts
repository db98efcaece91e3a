import { rm } from 'node:fs/promises'
import { stackDir, stopParts } from './state.ts'

/** Ends a stack that any process started; `clean` takes its data and logs away too. */
export async function downStack(name: string, { clean = false }: { clean?: boolean } = {}): Promise<void> {
  const dir = stackDir(name)
  await stopParts(dir)
  if (clean) await rm(dir, { recursive: true, force: true })
}

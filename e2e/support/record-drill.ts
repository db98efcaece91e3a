import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '@carillon/stack/services'
import { readCodeVersion, versionOfRun } from '../chaos/records/record-runs.ts'

const file = join(root, 'bench/results/drills.jsonl')
const before = readCodeVersion()

/** Appends one line for a drill that has ended. Nothing is ever changed or removed: a red run stays. */
export async function recordDrill(drill: string, beganMs: number, figures: Record<string, unknown>): Promise<void> {
  const version = versionOfRun(before, readCodeVersion())
  const line = { at: new Date(beganMs).toISOString(), ...version, drill, ...figures }
  await mkdir(dirname(file), { recursive: true })
  await appendFile(file, `${JSON.stringify(line)}\n`)
}

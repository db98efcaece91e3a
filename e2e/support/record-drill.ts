import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '@carillon/stack/services'
import type { CodeVersion } from '../chaos/records/record-runs.ts'

/** One run of a drill. `isClean` means that the commit is exactly what ran. */
export type DrillRecord = CodeVersion & { at: string; drill: string; isPassed: boolean; figures: Record<string, unknown> }

const resultsDir = join(root, 'bench/results')

/** Appends one line. Nothing is ever changed or removed: a red run stays. */
export async function recordDrill({ at, commit, isClean, drill, isPassed, figures }: DrillRecord): Promise<void> {
  await mkdir(resultsDir, { recursive: true })
  const line = JSON.stringify({ at, commit, isClean, drill, isPassed, figures })
  await appendFile(join(resultsDir, 'drills.jsonl'), `${line}\n`)
}

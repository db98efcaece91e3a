import { execFileSync } from 'node:child_process'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Violation } from '../judge/violation.ts'
import type { Mode } from '../options.ts'
import type { Figures } from './figures.ts'

/** What is stored of a seed. `isClean` means that the commit is exactly what ran, from the first process to the last. */
export type RecordedRun = Figures & {
  at: string
  mode: Mode
  commit: string
  isClean: boolean
  kinds: string[]
  skipped: string[]
  crashes: number
  violations: Violation[]
}

export type CodeVersion = { commit: string; isClean: boolean }

const resultsDir = join(import.meta.dirname, '../../../bench/results')
const file = join(resultsDir, 'chaos-runs.jsonl')

/** Appends one line for each seed. Nothing is ever changed or removed: a red run stays. */
export async function recordRuns(runs: readonly RecordedRun[]): Promise<string> {
  await mkdir(resultsDir, { recursive: true })
  await appendFile(file, runs.map((run) => `${JSON.stringify(run)}\n`).join(''))
  return file
}

/** The commit that is checked out, and whether anything but the results differs from it. */
export function readCodeVersion(): CodeVersion {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname, stdio: 'pipe' }).trim()
  try {
    const isClean = git('status', '--porcelain', '--', ':(top)', ':(top,exclude)bench/results') === ''
    return { commit: git('rev-parse', 'HEAD'), isClean }
  } catch {
    return { commit: 'not committed', isClean: false }
  }
}

/** A run counts as clean only if the code was clean before it and the same afterwards: restarted parts load the code again. */
export function versionOfRun(before: CodeVersion, after: CodeVersion): CodeVersion {
  return { commit: before.commit, isClean: before.isClean && after.isClean && before.commit === after.commit }
}

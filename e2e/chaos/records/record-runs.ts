import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Violation } from '../judge/violation.ts'
import type { Mode } from '../options.ts'
import type { Figures } from './figures.ts'

/** `isClean` means that the commit is exactly what ran, from the first process to the last. */
type RecordedCircumstances = {
  seed: number
  at: string
  mode: Mode
  commit: string
  isClean: boolean
  kinds: string[]
}

/**
 * What is stored of a seed. `posts`: its posts are at rest and were judged. `all`: the whole batch has ended, and its events and comments were
 * judged too. `broken off`: the run ended before the seed did, for the reason in `error`.
 */
type RecordedRun = RecordedCircumstances &
  (
    | (Figures & { judged: 'posts' | 'all'; skipped: string[]; crashes: number; violations: Violation[] })
    | { judged: 'broken off'; error: string }
  )

/** A seed that has begun. */
type BegunSeed = { seed: number; kinds: string[] }
/** A seed whose posts are at rest. */
type EndedSeed = { figures: Figures; skipped: string[]; crashes: number; violations: Violation[] }

export type Recorder = {
  file: string
  began(seed: BegunSeed): void
  ended(judged: 'posts' | 'all', seed: EndedSeed): void
  /** The run cannot go on: every seed that has begun and is not recorded yet gets a line. */
  brokeOff(error: unknown): void
}

export type CodeVersion = { commit: string; isClean: boolean }

const resultsFile = join(import.meta.dirname, '../../../bench/results/chaos-runs.jsonl')

type RecorderOptions = { mode: Mode; readVersion?: () => CodeVersion; file?: string }

/**
 * Appends a line for each seed as soon as it ends, so that a run that breaks off leaves what it found. Nothing is ever changed or removed:
 * a red run stays.
 */
export function createRecorder({ mode, readVersion = readCodeVersion, file = resultsFile }: RecorderOptions): Recorder {
  const before = readVersion()
  const open = new Map<number, Pick<RecordedRun, 'at' | 'kinds'>>()
  const unrecorded = new Set<number>()
  const circumstancesOf = (seed: number): RecordedCircumstances => ({
    seed,
    mode,
    ...versionOfRun(before, readVersion()),
    ...(open.get(seed) ?? { at: new Date().toISOString(), kinds: [] }),
  })
  // Without a promise: the line must also be there when the process is about to end.
  const append = (run: RecordedRun) => {
    mkdirSync(dirname(file), { recursive: true })
    appendFileSync(file, `${JSON.stringify(run)}\n`)
  }
  return {
    file,
    began({ seed, kinds }) {
      open.set(seed, { at: new Date().toISOString(), kinds })
      unrecorded.add(seed)
    },
    ended(judged, { figures, ...found }) {
      unrecorded.delete(figures.seed)
      append({ ...circumstancesOf(figures.seed), judged, ...figures, ...found })
    },
    brokeOff(error) {
      for (const seed of unrecorded) append({ ...circumstancesOf(seed), judged: 'broken off', error: String(error) })
      unrecorded.clear()
    },
  }
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

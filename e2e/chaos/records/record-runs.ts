import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Violation } from '../judge/violation.ts'
import type { Mode } from '../options.ts'
import { isClean as isCleanSeed, type Figures } from './figures.ts'

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

/** What is stored of a whole run, in the repository: the sums over its seeds, and those that were not clean. */
type RecordedSummary = CodeVersion & {
  at: string
  mode: Mode
  seeds: number
  /** Seeds that ended with a violation. Their lines are in the records. */
  red: number[]
  crashes: number
  badSignatures: number
  /** Why the run did not end. */
  brokenOff?: string
} & Pick<Figures, SummedFigure>

type SummedFigure = 'channels' | 'calls' | 'unconfirmed' | 'lost' | 'doubled' | 'false' | 'events' | 'other'

export type Recorder = {
  file: string
  began(seed: BegunSeed): void
  ended(judged: 'posts' | 'all', seed: EndedSeed): void
  /** All seeds were judged. */
  concluded(totals: { crashes: number; badSignatures: number }): void
  /** The run cannot go on: every seed that has begun and is not recorded yet gets a line. */
  brokeOff(error: unknown): void
}

export type CodeVersion = { commit: string; isClean: boolean }

const bench = join(import.meta.dirname, '../../../bench')
const runsFile = join(bench, 'runs/chaos-runs.jsonl')
const resultsFile = join(bench, 'results/chaos.jsonl')

type RecorderOptions = { mode: Mode; readVersion?: () => CodeVersion; file?: string; summaryFile?: string }

/**
 * Appends a line for each seed as soon as it ends, so that a run that breaks off leaves what it found, and one for the whole run to the
 * results in the repository. Nothing is ever changed or removed: a red run stays.
 */
export function createRecorder({
  mode,
  readVersion = readCodeVersion,
  file = runsFile,
  summaryFile = resultsFile,
}: RecorderOptions): Recorder {
  const before = readVersion()
  const beganAt = new Date().toISOString()
  const ended = new Map<number, Figures>()
  let isSummarised = false
  const open = new Map<number, Pick<RecordedRun, 'at' | 'kinds'>>()
  const unrecorded = new Set<number>()
  const circumstancesOf = (seed: number): RecordedCircumstances => ({
    seed,
    mode,
    ...versionOfRun(before, readVersion()),
    ...(open.get(seed) ?? { at: new Date().toISOString(), kinds: [] }),
  })
  // Without a promise: the line must also be there when the process is about to end.
  const append = (run: RecordedRun) => appendLine(file, run)
  const summarise = (totals: Pick<RecordedSummary, 'crashes' | 'badSignatures' | 'brokenOff'>) => {
    if (isSummarised || open.size === 0) return
    isSummarised = true
    const all = [...ended.values()]
    const sum = (name: SummedFigure) => all.reduce((total, each) => total + each[name], 0)
    appendLine(summaryFile, {
      at: beganAt,
      mode,
      ...versionOfRun(before, readVersion()),
      seeds: open.size,
      channels: sum('channels'),
      calls: sum('calls'),
      unconfirmed: sum('unconfirmed'),
      lost: sum('lost'),
      doubled: sum('doubled'),
      false: sum('false'),
      events: sum('events'),
      other: sum('other'),
      red: all.filter((each) => !isCleanSeed(each)).map(({ seed }) => seed),
      ...totals,
    })
  }
  return {
    file,
    began({ seed, kinds }) {
      open.set(seed, { at: new Date().toISOString(), kinds })
      unrecorded.add(seed)
    },
    ended(judged, { figures, ...found }) {
      unrecorded.delete(figures.seed)
      ended.set(figures.seed, figures)
      append({ ...circumstancesOf(figures.seed), judged, ...figures, ...found })
    },
    concluded: summarise,
    brokeOff(error) {
      summarise({ crashes: 0, badSignatures: 0, brokenOff: String(error) })
      for (const seed of unrecorded) append({ ...circumstancesOf(seed), judged: 'broken off', error: String(error) })
      unrecorded.clear()
    },
  }
}

function appendLine(file: string, line: RecordedRun | RecordedSummary): void {
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, `${JSON.stringify(line)}\n`)
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

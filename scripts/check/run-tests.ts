import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import { runTool } from './run-tool.ts'
import { reportFileVariable, type RunReport } from './tally-reporter.ts'

export type Tally = {
  passed: number
  failed: number
  /** Failed beside other tests and passed alone. */
  flaky: number
  skipped: number
}

export function addTallies(tallies: readonly Tally[]): Tally {
  const sum = (name: keyof Tally) => tallies.reduce((total, tally) => total + tally[name], 0)
  return { passed: sum('passed'), failed: sum('failed'), flaky: sum('flaky'), skipped: sum('skipped') }
}

/** The last line of a run, which the CI script reads. */
export function tallyLine({ passed, failed, flaky, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed, ${flaky} flaky, ${skipped} skipped`
}

type Options = {
  /** The configuration of vitest; without one, that of the repository. */
  config?: string
  /** Parts of file names and options of vitest. */
  filters?: readonly string[]
  env?: Record<string, string>
  /** Runs files with a failed test a second time, alone. */
  repeatsFailures?: boolean
}

/** More failures than this are no accident of a busy machine. */
const repeatedFilesMax = 3

/**
 * Runs vitest with its own output shown, and returns the number of tests. A run without tests counts as one failure. A test that failed beside
 * others and passes alone is named and counted as flaky, not as passed: the run goes on, and the test has to be mended.
 */
export async function runTests({ config, filters = [], env = {}, repeatsFailures = false }: Options = {}): Promise<Tally> {
  const options = config === undefined ? [] : ['--config', config]
  const { passed, failures, skipped, otherErrors } = await runVitest([...options, ...filters], env)
  for (const { file, title } of skipped) console.log(`skipped: ${nameOf(file)}: ${title}`)
  const tally = { passed, failed: failures.length + otherErrors, flaky: 0, skipped: skipped.length }
  const files = [...new Set(failures.map(({ file }) => file))]
  if (!repeatsFailures || otherErrors > 0 || files.length === 0 || files.length > repeatedFilesMax) return tally
  console.log(`\nagain, alone: ${files.join(', ')}`)
  const again = await runVitest([...options, ...files], env)
  if (again.otherErrors > 0 || again.failures.length > 0) return tally
  for (const { file, title, reason } of failures) console.log(`flaky: ${nameOf(file)}: ${title}: ${reason}`)
  return { ...tally, failed: 0, flaky: failures.length }
}

function nameOf(file: string): string {
  return relative(root, file)
}

async function runVitest(args: readonly string[], env: Record<string, string>): Promise<RunReport> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-check-'))
  const file = join(dir, 'report.json')
  try {
    const reporters = ['--reporter=default', `--reporter=${join(import.meta.dirname, 'tally-reporter.ts')}`]
    const isOk = await runTool('vitest', ['run', ...reporters, ...args], { ...env, [reportFileVariable]: file })
    // A run that ends before its tests begin writes no report.
    const report = await readFile(file, 'utf8').then(
      (text) => JSON.parse(text) as RunReport,
      () => ({ passed: 0, failures: [], skipped: [], otherErrors: 0 }),
    )
    const { passed, failures, skipped, otherErrors } = report
    const hasTests = passed + failures.length > 0
    if (!hasTests) console.error(`no test was run: vitest ${args.join(' ')}`)
    const hasFailedOtherwise = !hasTests || (!isOk && failures.length === 0)
    return { passed, failures, skipped, otherErrors: Math.max(otherErrors, hasFailedOtherwise ? 1 : 0) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

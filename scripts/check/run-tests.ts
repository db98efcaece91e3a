import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTool } from './run-tool.ts'
import { reportFileVariable, type RunReport } from './tally-reporter.ts'

export type Tally = { passed: number; failed: number }

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
 * others and passes alone is named as unsteady: the run goes on, and the test has to be mended.
 */
export async function runTests({ config, filters = [], env = {}, repeatsFailures = false }: Options = {}): Promise<Tally> {
  const options = config === undefined ? [] : ['--config', config]
  const { passed, failures, otherErrors } = await runVitest([...options, ...filters], env)
  const tally = { passed, failed: failures.length + otherErrors }
  const files = [...new Set(failures.map(({ file }) => file))]
  if (!repeatsFailures || otherErrors > 0 || files.length === 0 || files.length > repeatedFilesMax) return tally
  console.log(`\nagain, alone: ${files.join(', ')}`)
  const again = await runVitest([...options, ...files], env)
  if (again.otherErrors > 0 || again.failures.length > 0) return tally
  for (const { file, title } of failures) console.log(`unsteady: ${file}: ${title}`)
  return { passed: passed + failures.length, failed: 0 }
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
      () => ({ passed: 0, failures: [], otherErrors: 0 }),
    )
    const { passed, failures, otherErrors } = report
    const hasTests = passed + failures.length > 0
    if (!hasTests) console.error(`no test was run: vitest ${args.join(' ')}`)
    const hasFailedOtherwise = !hasTests || (!isOk && failures.length === 0)
    return { passed, failures, otherErrors: Math.max(otherErrors, hasFailedOtherwise ? 1 : 0) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

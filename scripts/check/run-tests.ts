import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asRecord } from '../../stack/services/json-request.ts'
import { runTool } from './run-tool.ts'

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
  const run = await runVitest([...options, ...filters], env)
  const { passed, failures, hasOtherErrors } = run
  const tally = { passed, failed: hasOtherErrors ? Math.max(failures.length, 1) : failures.length }
  const files = [...new Set(failures.map(({ file }) => file))]
  if (!repeatsFailures || hasOtherErrors || files.length === 0 || files.length > repeatedFilesMax) return tally
  console.log(`\nagain, alone: ${files.join(', ')}`)
  const again = await runVitest([...options, ...files], env)
  if (again.hasOtherErrors || again.failures.length > 0) return tally
  for (const { file, title } of failures) console.log(`unsteady: ${file}: ${title}`)
  return { passed: passed + failures.length, failed: 0 }
}

type Failure = { file: string; title: string }
type Run = { passed: number; failures: Failure[]; hasOtherErrors: boolean }

async function runVitest(args: readonly string[], env: Record<string, string>): Promise<Run> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-check-'))
  const resultFile = join(dir, 'vitest.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`]
    const isOk = await runTool('vitest', ['run', ...reporters, ...args], env)
    // Without test files vitest may write no result.
    const result = asRecord(JSON.parse(await readFile(resultFile, 'utf8').catch(() => '{}')))
    const passed = Number(result['numPassedTests'] ?? 0)
    const files = Array.isArray(result['testResults']) ? result['testResults'].map(asRecord) : []
    const failures = files.flatMap(failuresOf)
    const hasTests = passed + failures.length > 0
    if (!hasTests) console.error(`no test was run: vitest ${args.join(' ')}`)
    // A test file that cannot be loaded has no tests to count, but it fails the run.
    const isBroken = files.some((file) => file['status'] === 'failed' && failuresOf(file).length === 0)
    return { passed, failures, hasOtherErrors: !hasTests || isBroken || (!isOk && failures.length === 0) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

function failuresOf(file: Record<string, unknown>): Failure[] {
  const tests = Array.isArray(file['assertionResults']) ? file['assertionResults'].map(asRecord) : []
  return tests
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => ({ file: String(file['name']), title: String(fullName) }))
}

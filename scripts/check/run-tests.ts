import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asRecord } from '../../stack/services/json-request.ts'
import { runTool } from './run-tool.ts'

export type Tally = { passed: number; failed: number }

type Options = { args?: readonly string[]; env?: Record<string, string> }

/** Runs vitest with its own output shown, and returns the number of tests. A run without tests counts as one failure. */
export async function runTests({ args = [], env = {} }: Options = {}): Promise<Tally> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-check-'))
  const resultFile = join(dir, 'vitest.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`]
    const isOk = await runTool('vitest', ['run', ...reporters, ...args], env)
    // Without test files vitest may write no result.
    const result = asRecord(JSON.parse(await readFile(resultFile, 'utf8').catch(() => '{}')))
    const [passed, failed] = [Number(result['numPassedTests'] ?? 0), Number(result['numFailedTests'] ?? 0)]
    const hasTests = passed + failed > 0
    if (!hasTests) console.error(`no test was run: vitest ${args.join(' ')}`)
    // A test file that cannot be loaded has no tests to count, but it fails the run.
    return { passed, failed: isOk && hasTests ? failed : Math.max(failed, 1) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

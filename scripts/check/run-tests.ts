import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asRecord } from '../../stack/services/json-request.ts'
import { runTool } from './run-tool.ts'

export type Tally = { passed: number; failed: number }

type Options = { args?: readonly string[]; env?: Record<string, string> }

/** Runs vitest with its own output shown, and gives the number of tests. */
export async function runTests({ args = [], env = {} }: Options = {}): Promise<Tally> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-check-'))
  const resultFile = join(dir, 'vitest.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`]
    const isOk = await runTool('vitest', ['run', '--passWithNoTests', ...reporters, ...args], env)
    const result = asRecord(JSON.parse(await readFile(resultFile, 'utf8')))
    const [passed, failed] = [Number(result['numPassedTests']), Number(result['numFailedTests'])]
    // A test file that does not even load has no tests to count, and still fails the run.
    return { passed, failed: isOk ? failed : Math.max(failed, 1) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** `reason` is the beginning of what vitest says about a failure. */
type NamedTest = { file: string; title: string; reason: string }

/** What one run of vitest found. */
export type RunReport = {
  passed: number
  failures: readonly NamedTest[]
  skipped: readonly NamedTest[]
  /** Errors outside of tests: files that cannot be loaded, hooks that fail, promises that nobody awaits. */
  otherErrors: number
}

/** The variable that names the file for the report. */
export const reportFileVariable = 'CARILLON_TEST_REPORT'

/** Writes the report of a run into a file. Vitest's own JSON says nothing of errors outside of tests. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const report: RunReport = {
      passed: modules.flatMap(({ children }) => [...children.allTests('passed')]).length,
      failures: modules.flatMap((module) => testsOf(module, 'failed')),
      skipped: modules.flatMap((module) => testsOf(module, 'skipped')),
      otherErrors: unhandledErrors.length + modules.flatMap(errorsOutsideOfTests).length,
    }
    printSlowest(modules)
    writeFileSync(process.env[reportFileVariable] ?? '', JSON.stringify(report))
  }
}

const reasonMax = 300
const slowestMax = 15

/** Where the time of a suite goes. */
function printSlowest(modules: readonly TestModule[]): void {
  if (modules.length < 2) return
  const slowest = modules
    .map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, slowestMax)
  console.log(`\nthe slowest of ${modules.length} files, in seconds:`)
  for (const { file, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${file}`)
}

function testsOf({ moduleId, children }: TestModule, state: 'failed' | 'skipped'): NamedTest[] {
  return [...children.allTests(state)].map((each) => ({
    file: moduleId,
    title: each.fullName,
    reason: each.result().errors?.[0]?.message.slice(0, reasonMax).replaceAll(/\s+/g, ' ') ?? '',
  }))
}

function errorsOutsideOfTests(module: TestModule): SerializedError[] {
  return [module, ...module.children.allSuites()].flatMap((each) => each.errors())
}

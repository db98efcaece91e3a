import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { checkImports } from './check-imports.ts'
import { checkCycles } from './check/cycles.ts'
import { checkDocumentPaths } from './check/document-paths.ts'
import { checkFolderSizes, measureFileSizes } from './check/file-sizes.ts'
import type { SourceFile, Violation } from './check/imports.ts'
import { checkLicences } from './check/licences.ts'
import { nameComplaints } from './check/names.ts'
import { checkPlatformNames } from './check/platform-names.ts'
import { addTallies, runTests, tallyLine, type Tally } from './check/run-tests.ts'
import { runTool } from './check/run-tool.ts'
import { readSourceFiles } from './check/source-files.ts'
import { checkTableOwners } from './check/table-owners.ts'

type Check = { name: string; run: () => Promise<Tally> | Tally }

function tool(command: string, ...args: string[]): () => Promise<Tally> {
  return async () => tally(await runTool(command, args))
}

function tally(isOk: boolean): Tally {
  return { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1, flaky: 0, skipped: 0 }
}

function report(violations: readonly Violation[]): Tally {
  for (const { path, problem } of violations) console.error(`  ${path}: ${problem}`)
  return tally(violations.length === 0)
}

// The linter of the OpenAPI document sends usage data and looks for a newer version unless both are switched off.
const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

exitWithHelp(`pnpm check            everything that a change must pass, except the tests from outside
pnpm check --static   the same without the tests`)
const { values: options } = parseArgs({ options: { static: { type: 'boolean' } } })
const files = await readSourceFiles()
const hasTests = options.static !== true
// Judging all patterns takes one processor for a minute and a half, so it begins first and runs beside what comes before it. Where it is awaited,
// it is told if it fails.
const judgedPatterns = judgePatterns(files)
judgedPatterns.catch(() => undefined)

const checks: readonly Check[] = [
  { name: 'format', run: tool('oxfmt', '--check') },
  { name: 'lint', run: tool('oxlint', '--type-aware') },
  { name: 'types', run: tool('tsc') },
  { name: 'types of Python', run: tool('pyright', '--project', 'python') },
  { name: 'texts in the code', run: async () => tally(await runTool('i18next-cli', ['lint'], {}, 'web')) },
  { name: 'imports', run: () => report(checkImports(files)) },
  { name: 'table owners', run: () => report(checkTableOwners(files)) },
  { name: 'names', run: () => report(files.flatMap(nameComplaints)) },
  { name: 'platform names', run: () => report(files.flatMap(checkPlatformNames)) },
  { name: 'folder sizes', run: () => report(checkFolderSizes(files)) },
  { name: 'paths in the docs', run: () => report(checkDocumentPaths(files)) },
  { name: 'licences', run: async () => report(await checkLicences()) },
  { name: 'docs site', run: tool('node', 'docs-site/build.ts') },
  { name: 'generated files', run: tool('node', 'scripts/generate.ts', '--check') },
  { name: 'openapi lint', run: async () => tally(await runTool('redocly', ['lint', 'contract/openapi.json'], offline)) },
  { name: 'regular expressions', run: async () => report(await judgedPatterns) },
  ...(hasTests ? [{ name: 'tests', run: () => runTests({ repeatsFailures: true }) }] : []),
  { name: 'dead exports', run: tool('knip') },
]

function judgePatterns(all: readonly SourceFile[]): Promise<Violation[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Violation[]>()
  const worker = new Worker(new URL('check/regular-expressions.worker.ts', import.meta.url), { workerData: all })
  worker.once('message', resolve)
  worker.once('error', reject)
  return promise
}

/** Runs one check and prints its name, its result and how long it took. A check that throws has failed. */
async function runCheck({ name, run }: Check): Promise<Tally> {
  console.log(`\n── ${name}`)
  const begin = performance.now()
  const result = await Promise.try(run).catch((error: unknown) => {
    console.error(error)
    return tally(false)
  })
  console.log(`${result.failed > 0 ? '✘' : '✔'} ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`)
  return result
}

function printSizes(): void {
  const { files: count, medianLines, largest } = measureFileSizes(files)
  console.log(`\n${count} source files, median ${medianLines} lines, largest ${largest.lines} lines (${largest.path})`)
  console.log(`${checkFolderSizes(files).length} folders with more than 30 source files, ${checkCycles(files).length} cycles`)
}

const tallies: Tally[] = []
const failedNames: string[] = []
for (const check of checks) {
  const result = await runCheck(check)
  tallies.push(result)
  if (result.failed > 0) failedNames.push(check.name)
}
printSizes()
if (failedNames.length > 0) console.log(`\nfailed: ${failedNames.join(', ')}`)
const total = addTallies(tallies)
console.log(`\n${tallyLine(total)}`)
process.exitCode = total.failed > 0 ? 1 : 0

import { checkImports } from './check-imports.ts'
import type { Complaint } from './check/imports.ts'
import { nameComplaints } from './check/names.ts'
import { runTests, type Tally } from './check/run-tests.ts'
import { runTool } from './check/run-tool.ts'
import { readSourceFiles } from './check/source-files.ts'

type Check = { name: string; run: () => Promise<Tally> }

function tool(command: string, ...args: string[]): () => Promise<Tally> {
  return async () => tally(await runTool(command, args))
}

function tally(isOk: boolean): Tally {
  return isOk ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function complain(complaints: readonly Complaint[]): Tally {
  for (const { path, problem } of complaints) console.error(`  ${path}: ${problem}`)
  return tally(complaints.length === 0)
}

// The linter reports its use and looks for a newer version unless it is told not to.
const noCallsHome = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const checks: readonly Check[] = [
  { name: 'format', run: tool('oxfmt', '--check') },
  { name: 'lint', run: tool('oxlint', '--type-aware') },
  { name: 'types', run: tool('tsc') },
  { name: 'imports', run: async () => complain(checkImports(await readSourceFiles())) },
  { name: 'names', run: async () => complain((await readSourceFiles()).flatMap(nameComplaints)) },
  { name: 'generated files', run: tool('node', 'scripts/generate.ts', '--check') },
  { name: 'openapi lint', run: async () => tally(await runTool('redocly', ['lint', 'contract/openapi.json'], noCallsHome)) },
  { name: 'tests', run: () => runTests() },
]

const total: Tally = { passed: 0, failed: 0 }
const failedNames: string[] = []
for (const { name, run } of checks) {
  console.log(`\n── ${name}`)
  const begin = performance.now()
  const { passed, failed } = await run().catch((error: unknown) => {
    console.error(error)
    return tally(false)
  })
  total.passed += passed
  total.failed += failed
  if (failed > 0) failedNames.push(name)
  console.log(`${failed > 0 ? '✘' : '✔'} ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`)
}
if (failedNames.length > 0) console.log(`\nfailed: ${failedNames.join(', ')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

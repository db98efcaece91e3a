import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseMutants } from './choose-mutants.ts'
import { copyTree } from './copy-tree.ts'
import { openTestRunner, type TestRun, type TestRunner } from './open-test-runner.ts'
import { plantBug, StaleMutant } from './plant-bug.ts'
import { readMutants, type Mutant, type NamedTest } from './read-mutants.ts'

const root = resolve(import.meta.dirname, '..')

type Verdict = { isCaught: boolean; text: string }

/** Plants one bug, runs the test that must notice it, and removes the bug again. */
async function tryMutant(dir: string, runner: TestRunner, mutant: Mutant): Promise<Verdict> {
  const path = join(dir, mutant.file)
  const source = await readFile(path, 'utf8')
  const write = async (text: string) => {
    await writeFile(path, text)
    runner.forget(mutant.file)
  }
  try {
    await write(plantBug(source, mutant))
    const { file, name } = mutant.test
    const { failed, broken } = await runner.run(file, name === undefined ? undefined : [name])
    const [first] = failed
    if (first) return { isCaught: true, text: `caught by ${file}: ${first.title}\n    ${first.reason}` }
    // A file that cannot be loaded proves nothing about its tests.
    if (broken.length > 0) return { isCaught: false, text: `BROKEN: no test ran to its end: ${broken.join('; ')}` }
    return { isCaught: false, text: `SURVIVED ${nameOf(mutant.test)}` }
  } catch (error) {
    if (!(error instanceof StaleMutant)) throw error
    return { isCaught: false, text: `STALE: ${error.message}` }
  } finally {
    await write(source)
  }
}

/** Without a bug every named test must pass; otherwise its failure would prove nothing. Gives the problems by the names of the tests. */
async function findProblems(runner: TestRunner, mutants: readonly Mutant[]): Promise<Map<string, string>> {
  const problems = new Map<string, string>()
  for (const [file, ofFile] of Map.groupBy(mutants, ({ test }) => test.file)) {
    const names = ofFile.map(({ test }) => test.name)
    const run = await runner.run(file, names.includes(undefined) ? undefined : names.filter((name) => name !== undefined))
    for (const { test } of ofFile) {
      const problem = problemOf(run, test)
      if (problem !== null) problems.set(nameOf(test), problem)
    }
  }
  return problems
}

function problemOf({ passed, failed, broken }: TestRun, { name }: NamedTest): string | null {
  const isMeant = (test: { name: string }) => name === undefined || test.name === name
  const [first] = failed.filter(isMeant)
  if (first) return `fails without any bug: ${first.reason}`
  if (broken.length > 0) return `cannot be run: ${broken.join('; ')}`
  return passed.some(isMeant) ? null : 'does not exist'
}

function nameOf({ file, name }: NamedTest): string {
  return name === undefined ? file : `${file}: ${name}`
}

async function runAll(mutants: readonly Mutant[], dir: string, runner: TestRunner): Promise<number> {
  const problems = await findProblems(runner, mutants)
  const count = new Set(mutants.map(({ test }) => nameOf(test))).size
  console.log(`${count - problems.size} of ${count} named tests pass without a bug`)
  let caught = 0
  for (const mutant of mutants) {
    const begin = performance.now()
    const problem = problems.get(nameOf(mutant.test))
    const verdict =
      problem === undefined
        ? await tryMutant(dir, runner, mutant)
        : { isCaught: false, text: `BROKEN: the test ${nameOf(mutant.test)} ${problem}` }
    if (verdict.isCaught) caught++
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    console.log(`${verdict.isCaught ? '✔' : '✘'} ${mutant.name} (${seconds} s): ${mutant.title}\n    ${verdict.text}`)
  }
  return caught
}

function currentCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    // A folder without history.
    return '0'
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  console.log(
    'pnpm mutants [names…] [--sample N]   plants known bugs one at a time, all, these or N of them, and names the test that catches each',
  )
  process.exit(0)
}
const sample = values.sample === undefined ? null : Number(values.sample)
if (sample !== null && !(Number.isInteger(sample) && sample > 0)) throw new Error('--sample needs a number of at least 1')
const all = await readMutants(join(import.meta.dirname, 'bugs'))
const chosen = chooseMutants(all, { names: positionals, sample, commit: currentCommit() })
console.log(`${chosen.length} of ${all.length} mutants`)
const copy = await copyTree(root)
try {
  const runner = await openTestRunner(copy.dir)
  try {
    const caught = await runAll(chosen, copy.dir, runner)
    console.log(`\n${caught} passed, ${chosen.length - caught} failed`)
    process.exitCode = caught === chosen.length ? 0 : 1
  } finally {
    await runner.close()
  }
} finally {
  await copy.remove()
}

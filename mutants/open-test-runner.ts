import { join } from 'node:path'
import { createVitest, type TestModule } from 'vitest/node'
export type TestRun = {
  passed: { name: string }[]
  /** `title` includes the names of the groups around the test. */
  failed: { name: string; title: string; reason: string }[]
  /** Errors outside of tests: a file that cannot be loaded, or a database that does not start. */
  broken: string[]
}

export type TestRunner = {
  /** Runs the tests of a file with these names, or all its tests without names. */
  run(file: string, names?: readonly string[]): Promise<TestRun>
  /** Makes the next run read this file again. */
  forget(file: string): void
  close(): Promise<void>
}

/** One vitest for all runs, so that its start and the unchanged files' compilation are paid once. */
export async function openTestRunner(dir: string): Promise<TestRunner> {
  const vitest = await createVitest('test', {
    root: dir,
    config: join(dir, 'vitest.config.ts'),
    watch: false,
    reporters: [{}],
    silent: true,
    maxWorkers: 1,
  })
  const project = vitest.getRootProject()
  return {
    forget: (file) => vitest.invalidateFile(join(dir, file)),
    async run(file, names) {
      const options = names && { testNamePattern: new RegExp(names.map((name) => RegExp.escape(name)).join('|')) }
      const specification = project.createSpecification(join(dir, file), options)
      // vitest answers with the results of earlier runs too.
      vitest.state.filesMap.clear()
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
      const runs = testModules.map((module) => readModule(module, names))
      return {
        passed: runs.flatMap(({ passed }) => passed),
        failed: runs.flatMap(({ failed }) => failed),
        broken: [...runs.flatMap(({ broken }) => broken), ...unhandledErrors.map(messageOf)],
      }
    },
    close: () => vitest.close(),
  }
}

function readModule(module: TestModule, names: readonly string[] | undefined): TestRun {
  const run: TestRun = { passed: [], failed: [], broken: module.errors().map(messageOf) }
  for (const suite of module.children.allSuites()) run.broken.push(...suite.errors().map(messageOf))
  for (const test of module.children.allTests()) {
    // The pattern also matches longer names.
    if (names && !names.includes(test.name)) continue
    const { state, errors } = test.result()
    if (state === 'passed') run.passed.push({ name: test.name })
    // On a busy machine any test may take too long, so a timeout proves nothing.
    if (errors?.some((error) => messageOf(error).startsWith('Test timed out'))) {
      run.broken.push(`${test.fullName}: it ran out of time`)
      continue
    }
    if (state === 'failed')
      run.failed.push({ name: test.name, title: test.fullName, reason: errors?.map(messageOf).join('; ') ?? '' })
  }
  return run
}

function messageOf(error: unknown): string {
  const { message } = error as { message?: unknown }
  return (typeof message === 'string' ? message : String(error)).split('\n')[0] ?? ''
}

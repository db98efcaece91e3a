import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTests } from '@carillon/scripts/run-tests'
import { upStack } from '@carillon/stack'
import { buildWeb } from '@carillon/stack/services'

/** Builds the app, starts a stack that serves it, and runs the tests or makes the pictures. Returns the number of failures. */
export async function runBrowserTests(suite: 'browser' | 'shots', filters: readonly string[]): Promise<number> {
  await buildWeb()
  console.log('✔ Web app')
  const stack = await upStack({ name: suite, fsync: false, mail: true, report: (step) => console.log(`✔ ${step.name}`) })
  try {
    const file = join(stack.info.dir, 'test-stack.json')
    await writeFile(file, JSON.stringify(stack.info))
    const config = join(import.meta.dirname, suite === 'browser' ? 'vitest.config.ts' : 'shots.config.ts')
    const { passed, failed } = await runTests({ args: ['--config', config, ...filters], env: { CARILLON_TEST_STACK: file } })
    console.log(`${passed} passed, ${failed} failed`)
    return failed
  } finally {
    await stack.stop()
  }
}

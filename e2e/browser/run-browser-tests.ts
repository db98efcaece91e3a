import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTests, tallyLine } from '@carillon/scripts/run-tests'
import { upStack } from '@carillon/stack'
import { buildWeb, freePort } from '@carillon/stack/services'
import { operatorEmail } from './rig/operator-email.ts'

/** Builds the app, starts a stack that serves it, and runs the tests or makes the pictures. Returns the number of failures. */
export async function runBrowserTests(suite: 'browser' | 'shots', filters: readonly string[]): Promise<number> {
  await buildWeb()
  console.log('✔ Web app')
  // Passkeys need a name: browsers refuse them for an address such as 127.0.0.1.
  const api = await freePort()
  const stack = await upStack({
    name: suite,
    fsync: false,
    mail: true,
    ports: { api },
    env: { CARILLON_PUBLIC_URL: `http://localhost:${api}`, CARILLON_OPERATORS: operatorEmail },
    report: (step) => console.log(`✔ ${step.name}`),
  })
  try {
    const file = join(stack.info.dir, 'test-stack.json')
    await writeFile(file, JSON.stringify(stack.info))
    const config = join(import.meta.dirname, suite === 'browser' ? 'vitest.config.ts' : 'shots.config.ts')
    const tally = await runTests({
      config,
      filters,
      env: { CARILLON_TEST_STACK: file },
      repeatsFailures: suite === 'browser',
    })
    console.log(tallyLine(tally))
    return tally.failed
  } finally {
    await stack.stop()
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../stack/services/folders.ts'
import { runTests } from './run-tests.ts'

/** Guarantee: a run that finds no tests fails, so that a moved or renamed folder cannot pass unnoticed. */
test('a run without tests is a failure', async () => {
  expect(await runTests({ filters: ['no-such-folder'] })).toMatchObject({ passed: 0, failed: 1, flaky: 0 })
})

test('a run in which every test is filtered out is a failure', async () => {
  expect(await runTests({ filters: ['scripts/check/names.test.ts', '-t', 'no such title'] })).toMatchObject({
    passed: 0,
    failed: 1,
    flaky: 0,
  })
})

test('a run with tests counts them', async () => {
  const { passed, failed } = await runTests({ filters: ['scripts/check/names.test.ts'] })
  expect([passed > 0, failed]).toEqual([true, 0])
})

describe('a test that fails', () => {
  /** Runs a file of one test that passes and one whose result depends on how often it was run. */
  async function runUnsteady(passesFrom: number, repeatsFailures: boolean, otherFile = '') {
    const dir = await mkdtemp(join(root, 'node_modules/.carillon-unsteady-'))
    try {
      const config = join(dir, 'vitest.config.js')
      await writeFile(config, `export default { test: { root: ${JSON.stringify(dir)}, include: ['*.check.js'] } }`)
      await writeFile(
        join(dir, 'one.check.js'),
        `import { appendFileSync, readFileSync } from 'node:fs'
        import { expect, test } from 'vitest'
        const runs = ${JSON.stringify(join(dir, 'runs'))}
        test('steady', () => expect(1).toBe(1))
        test('unsteady', () => {
          appendFileSync(runs, 'x')
          expect(readFileSync(runs, 'utf8').length).toBeGreaterThanOrEqual(${passesFrom})
        })`,
      )
      if (otherFile !== '') await writeFile(join(dir, 'two.check.js'), otherFile)
      return await runTests({ config, repeatsFailures })
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  }

  test('once and passes alone is flaky: neither a failure nor passed', async () => {
    expect(await runUnsteady(2, true)).toEqual({ passed: 1, failed: 0, flaky: 1, skipped: 0 })
  })

  test('alone too is a failure', async () => {
    expect(await runUnsteady(3, true)).toMatchObject({ passed: 1, failed: 1, flaky: 0 })
  })

  test('and passes alone does not hide an error outside of the tests of another file', async () => {
    const rejection = `import { expect, test } from 'vitest'
      test('quiet', async () => {
        void Promise.reject(new Error('nobody awaits this'))
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect(1).toBe(1)
      })`
    expect(await runUnsteady(2, true, rejection)).toMatchObject({ passed: 2, failed: 2, flaky: 0 })
    const hook = `import { afterAll, expect, test } from 'vitest'
      afterAll(() => { throw new Error('cannot clean up') })
      test('quiet', () => expect(1).toBe(1))`
    expect(await runUnsteady(2, true, hook)).toMatchObject({ passed: 2, failed: 2, flaky: 0 })
  })

  test('beside a skipped one: the skipped test is counted', async () => {
    const skipping = `import { test } from 'vitest'
      test.skip('left out', () => {})`
    expect(await runUnsteady(1, true, skipping)).toEqual({ passed: 2, failed: 0, flaky: 0, skipped: 1 })
  })

  test('is run once where repeating is not asked for', async () => {
    expect(await runUnsteady(2, false)).toMatchObject({ passed: 1, failed: 1, flaky: 0 })
  })
})

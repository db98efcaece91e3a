import { expect, test } from 'vitest'
import { runTests } from './run-tests.ts'

/** Guarantee: a run that finds no tests fails, so that a moved or renamed folder cannot pass unnoticed. */
test('a run without tests is a failure', async () => {
  expect(await runTests({ args: ['no-such-folder'] })).toEqual({ passed: 0, failed: 1 })
})

test('a run in which every test is filtered out is a failure', async () => {
  expect(await runTests({ args: ['scripts/check/names.test.ts', '-t', 'no such title'] })).toEqual({ passed: 0, failed: 1 })
})

test('a run with tests counts them', async () => {
  const { passed, failed } = await runTests({ args: ['scripts/check/names.test.ts'] })
  expect([passed > 0, failed]).toEqual([true, 0])
})

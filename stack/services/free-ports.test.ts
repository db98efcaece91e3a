import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePorts } from './free-ports.ts'

const range = { lowest: 19_000, highest: 19_040 }
const program = `
  import { freePorts } from ${JSON.stringify(join(import.meta.dirname, 'free-ports.ts'))}
  console.log(JSON.stringify(await freePorts(15, ${JSON.stringify(range)})))
  setTimeout(() => {}, 3000)`

/** Guarantee: two stacks that start at the same time in two processes get different ports, also before their servers listen. Only Linux can keep it. */
test.runIf(process.platform === 'linux')('ports are given out once', async () => {
  const other = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  const [first, { stdout }] = await Promise.all([freePorts(15, range), other])
  const all = [...first, ...(JSON.parse(stdout) as number[])]
  expect(all).toHaveLength(30)
  expect(new Set(all).size).toBe(30)
})

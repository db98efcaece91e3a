import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateLists } from './debian.ts'

const { PATH: path = '' } = process.env
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-apt-'))
  process.env['PATH'] = dir + delimiter + path
})
afterAll(async () => {
  process.env['PATH'] = path
  await rm(dir, { recursive: true, force: true })
})

/** An apt-get that writes this and fails, as often as it is said, and then succeeds. Returns how often it was run. */
async function plantApt(message: string, failures: number): Promise<() => Promise<number>> {
  const runs = join(dir, 'runs')
  await rm(runs, { force: true })
  const script = `#!/bin/sh\necho >>"${runs}"\n[ "$(wc -l <"${runs}")" -gt ${failures} ] || { echo "${message}" >&2; exit 100; }\n`
  await writeFile(join(dir, 'apt-get'), script, { mode: 0o755 })
  return async () => (await readFile(runs, 'utf8')).length
}

/** Guarantee: an installation beside another one waits for it. */
test('lists that another apt updates are waited for', async () => {
  const countRuns = await plantApt('E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)', 2)
  await updateLists([], { everyMs: 10 })
  expect(await countRuns()).toBe(3)
})

test('another failure ends the installation at once', async () => {
  const countRuns = await plantApt('E: Failed to fetch the lists', 1)
  await expect(updateLists([], { everyMs: 10 })).rejects.toThrow('Failed to fetch')
  expect(await countRuns()).toBe(1)
})

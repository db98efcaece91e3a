import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeMachine } from './describe-machine.ts'
import { atMost, storeRun, type Outcome } from './results.ts'

const machine = describeMachine()
const outcome: Outcome = {
  figure: 'burst: drain 1 ms',
  goals: [atMost('drain', 1, 2)],
  settings: { channels: 10 },
  data: { ours: [{ drainMs: 1 }] },
}

async function openFolders() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  return { runs: join(folder, 'runs'), results: join(folder, 'results') }
}
const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))

/** Guarantee: every run stays in the history, and the repository gets its figures without the raw data. */
test('the history keeps every run with its figures and goals; the raw data are in a file of the run', async () => {
  const folders = await openFolders()
  const first = await storeRun({ scenario: 'burst', machine, outcome }, folders)
  const second = await storeRun({ scenario: 'burst', machine, outcome: { ...outcome, figure: 'burst: drain 2 ms' } }, folders)
  const { data, ...summary } = outcome
  const line = { ...summary, scenario: 'burst', machine, date: expect.any(String) }
  expect(second.history).toBe(first.history)
  expect(await read(first.history)).toEqual([line, { ...line, figure: 'burst: drain 2 ms' }])
  expect(await read(first.file)).toEqual({ ...line, data })
})

test('a scenario that stored the run itself only gets its line', async () => {
  const folders = await openFolders()
  const { file, history } = await storeRun({ scenario: 'soak', machine, outcome: { ...outcome, file: 'soak.json' } }, folders)
  expect(file).toBe('soak.json')
  expect(await read(history)).toHaveLength(1)
  await expect(readFile(folders.runs)).rejects.toThrow('ENOENT')
})

import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Figures } from './figures.ts'
import { createRecorder, versionOfRun } from './record-runs.ts'

/** Guarantee: a result is attributed to a commit only if nothing else ran. */
test.for([
  [{ commit: 'a', isClean: true }, { commit: 'a', isClean: true }, true],
  [{ commit: 'a', isClean: false }, { commit: 'a', isClean: true }, false],
  [{ commit: 'a', isClean: true }, { commit: 'a', isClean: false }, false],
  [{ commit: 'a', isClean: true }, { commit: 'b', isClean: true }, false],
] as const)('%o, then %o', ([before, after, isClean]) => {
  expect(versionOfRun(before, after)).toEqual({ commit: 'a', isClean })
})

/** Guarantee: what a run has found stays, also if the run itself breaks off. */
test('each seed is recorded when it ends, and those that a crash interrupts are recorded with its reason', () => {
  const { files, lines, summaries } = openFiles()
  const recorder = createRecorder({ mode: 'two', ...files, readVersion: () => ({ commit: 'a', isClean: true }) })
  for (const seed of [1, 2, 3]) recorder.began({ seed, kinds: ['kill worker'] })
  const violations = [{ kind: 'lost' as const, text: 'a post', detail: 'it is gone' }]
  const figures = { ...noFigures, seed: 2, lost: 1 }
  recorder.ended('posts', { figures, skipped: [], crashes: 0, violations })
  expect(lines()).toMatchObject([{ seed: 2, judged: 'posts', lost: 1, violations, commit: 'a', kinds: ['kill worker'] }])
  recorder.brokeOff(new Error('process to die'))
  recorder.brokeOff('the run ended early')
  expect(lines().slice(1)).toMatchObject([
    { seed: 1, judged: 'broken off', error: 'Error: process to die' },
    { seed: 3, judged: 'broken off', error: 'Error: process to die' },
  ])
  expect(summaries()).toMatchObject([{ seeds: 3, lost: 1, red: [2], brokenOff: 'Error: process to die' }])
})

/** Guarantee: every run leaves one line in the repository, with what it found. */
test('a run that ends is summed up once, with its red seeds', () => {
  const { files, summaries } = openFiles()
  const recorder = createRecorder({ mode: 'two', ...files, readVersion: () => ({ commit: 'a', isClean: true }) })
  for (const seed of [1, 2]) {
    recorder.began({ seed, kinds: [] })
    const figures = { ...noFigures, seed, channels: 3, doubled: seed - 1 }
    for (const judged of ['posts', 'all'] as const) recorder.ended(judged, { figures, skipped: [], crashes: 0, violations: [] })
  }
  recorder.concluded({ crashes: 1, badSignatures: 0 })
  recorder.brokeOff('the run ended early')
  const sums = { seeds: 2, channels: 6, lost: 0, doubled: 1, red: [2], crashes: 1, badSignatures: 0 }
  expect(summaries()).toEqual([expect.objectContaining({ mode: 'two', commit: 'a', isClean: true, ...sums })])
  expect(summaries()[0]).not.toHaveProperty('brokenOff')
})

test('a run in which nothing began leaves no line', () => {
  const { files, summaries } = openFiles()
  createRecorder({ mode: 'two', ...files, readVersion: () => ({ commit: 'a', isClean: true }) }).brokeOff('no stack')
  expect(summaries).toThrow('ENOENT')
})

const noFigures: Figures = {
  seed: 0,
  posts: 0,
  channels: 0,
  calls: 0,
  carriedOut: 0,
  stackFaults: 0,
  platformFaults: 0,
  unconfirmed: 0,
  unanswered: 0,
  timed: 0,
  lost: 0,
  doubled: 0,
  false: 0,
  events: 0,
  other: 0,
  seconds: 0,
}

function openFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'chaos-'))
  const files = { file: join(folder, 'runs.jsonl'), summaryFile: join(folder, 'summaries.jsonl') }
  const read = (path: string) =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { files, lines: () => read(files.file), summaries: () => read(files.summaryFile) }
}

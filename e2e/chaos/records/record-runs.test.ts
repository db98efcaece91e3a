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
  const file = join(mkdtempSync(join(tmpdir(), 'chaos-')), 'runs.jsonl')
  const lines = () =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const recorder = createRecorder({ mode: 'two', file, readVersion: () => ({ commit: 'a', isClean: true }) })
  for (const seed of [1, 2, 3]) recorder.began({ seed, kinds: ['kill worker'] })
  const violations = [{ kind: 'lost' as const, text: 'a post', detail: 'it is gone' }]
  const figures = { seed: 2, lost: 1 } as Figures
  recorder.ended('posts', { figures, skipped: [], crashes: 0, violations })
  expect(lines()).toMatchObject([{ seed: 2, judged: 'posts', lost: 1, violations, commit: 'a', kinds: ['kill worker'] }])
  recorder.brokeOff(new Error('process to die'))
  recorder.brokeOff('the run ended early')
  expect(lines().slice(1)).toMatchObject([
    { seed: 1, judged: 'broken off', error: 'Error: process to die' },
    { seed: 3, judged: 'broken off', error: 'Error: process to die' },
  ])
})

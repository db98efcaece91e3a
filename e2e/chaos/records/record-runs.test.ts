import { expect, test } from 'vitest'
import { versionOfRun } from './record-runs.ts'

/** Guarantee: a result is attributed to a commit only if nothing else ran. */
test.for([
  [{ commit: 'a', isClean: true }, { commit: 'a', isClean: true }, true],
  [{ commit: 'a', isClean: false }, { commit: 'a', isClean: true }, false],
  [{ commit: 'a', isClean: true }, { commit: 'a', isClean: false }, false],
  [{ commit: 'a', isClean: true }, { commit: 'b', isClean: true }, false],
] as const)('%o, then %o', ([before, after, isClean]) => {
  expect(versionOfRun(before, after)).toEqual({ commit: 'a', isClean })
})

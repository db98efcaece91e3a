import { expect, test } from 'vitest'
import { platforms } from '../../contract/src/platforms.ts'
import { findPlaces } from './find-places.ts'

/** Guarantee: a platform that `pnpm new` wrote does not pass as finished while a part of it is still the invented one. */
test.each(platforms)('every place of %s is filled in', async (platform) => {
  expect(await findPlaces(platform)).toEqual([])
})

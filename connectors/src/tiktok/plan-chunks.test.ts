import { expect, test } from 'vitest'
import { planChunks } from './plan-chunks.ts'

/** Guarantee: chunks follow TikTok's rule at every size: count = floor(size / chunk size), and the last chunk takes the rest. */
test.for([
  { sizeBytes: 1, count: 1, chunkBytes: 1, lastChunkStart: 0 },
  { sizeBytes: 19_999_999, count: 1, chunkBytes: 19_999_999, lastChunkStart: 0 },
  { sizeBytes: 20_000_000, count: 2, chunkBytes: 10_000_000, lastChunkStart: 10_000_000 },
  { sizeBytes: 29_999_999, count: 2, chunkBytes: 10_000_000, lastChunkStart: 10_000_000 },
  { sizeBytes: 4_000_000_000, count: 400, chunkBytes: 10_000_000, lastChunkStart: 3_990_000_000 },
])('$sizeBytes', ({ sizeBytes, ...plan }) => {
  expect(planChunks(sizeBytes)).toEqual(plan)
})

/** A chunk may have 5 to 64 MB. The last chunk takes the rest, so only that one can be larger than this. */
const chunkBytesDefault = 10_000_000

export type ChunkPlan = { chunkBytes: number; count: number; lastChunkStart: number }

/** How a video of this size is split. A small one is a single chunk. */
export function planChunks(sizeBytes: number): ChunkPlan {
  const count = Math.max(1, Math.floor(sizeBytes / chunkBytesDefault))
  return { count, chunkBytes: count === 1 ? sizeBytes : chunkBytesDefault, lastChunkStart: (count - 1) * chunkBytesDefault }
}

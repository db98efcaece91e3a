/** Pieces may have 5 to 64 MB; the last one takes what is left over, so it is the only larger one. */
const chunkBytesUsual = 10_000_000

export type ChunkPlan = { chunkBytes: number; count: number; lastChunkStart: number }

/** How a video of this size is cut: small ones go whole. */
export function planChunks(sizeBytes: number): ChunkPlan {
  const count = Math.max(1, Math.floor(sizeBytes / chunkBytesUsual))
  return { count, chunkBytes: count === 1 ? sizeBytes : chunkBytesUsual, lastChunkStart: (count - 1) * chunkBytesUsual }
}

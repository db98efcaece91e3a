/** Pieces may have 5 to 64 MB; the last one takes what is left over, so it is the only larger one. */
const pieceBytes = 10_000_000

export type Pieces = { chunkBytes: number; count: number; lastFirstByte: number }

/** How a video of this size is cut: small ones go whole. */
export function piecesOf(sizeBytes: number): Pieces {
  const count = Math.max(1, Math.floor(sizeBytes / pieceBytes))
  return { count, chunkBytes: count === 1 ? sizeBytes : pieceBytes, lastFirstByte: (count - 1) * pieceBytes }
}

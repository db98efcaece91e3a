/** Cuts a stream into pieces of one size, the last one shorter. Holds one piece at a time. */
export async function* splitIntoChunks(
  stream: ReadableStream<Uint8Array>,
  sizeBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(sizeBytes)
  let filled = 0
  for await (const part of stream) {
    let taken = 0
    while (taken < part.length) {
      const take = Math.min(sizeBytes - filled, part.length - taken)
      piece.set(part.subarray(taken, taken + take), filled)
      taken += take
      filled += take
      if (filled === sizeBytes) {
        yield piece
        piece = new Uint8Array(sizeBytes)
        filled = 0
      }
    }
  }
  if (filled > 0) yield piece.slice(0, filled)
}

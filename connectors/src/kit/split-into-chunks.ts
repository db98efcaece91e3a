/**
 * Splits a stream into chunks of one size; the last one may be shorter. Holds only one chunk in memory: the next one
 * takes its place, so a caller must be done with it by then.
 */
export async function* splitIntoChunks(
  stream: ReadableStream<Uint8Array>,
  sizeBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const chunk = new Uint8Array(sizeBytes)
  let filled = 0
  for await (const part of stream) {
    let taken = 0
    while (taken < part.length) {
      const take = Math.min(sizeBytes - filled, part.length - taken)
      chunk.set(part.subarray(taken, taken + take), filled)
      taken += take
      filled += take
      if (filled === sizeBytes) {
        yield chunk
        filled = 0
      }
    }
  }
  if (filled > 0) yield chunk.slice(0, filled)
}

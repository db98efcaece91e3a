/** Splits a stream into chunks of one size; the last one may be shorter. Holds only one chunk in memory. */
export async function* splitIntoChunks(
  stream: ReadableStream<Uint8Array>,
  sizeBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let chunk = new Uint8Array(sizeBytes)
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
        chunk = new Uint8Array(sizeBytes)
        filled = 0
      }
    }
  }
  if (filled > 0) yield chunk.slice(0, filled)
}

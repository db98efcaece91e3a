import { joinBytes } from './bytes.ts'

/** Reads all chunks into one array. Gives null, and stops reading, as soon as there are more than `bytesMax` bytes. */
export async function collectBytes(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array | null> {
  const collected: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > bytesMax) return null
    collected.push(chunk)
  }
  return joinBytes(collected)
}

import { joinBytes } from './signature.ts'

/** All chunks as one, or null as soon as there is more than anybody needs. */
export async function collectBytes(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array | null> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > bytesMax) return null
    kept.push(chunk)
  }
  return joinBytes(kept)
}

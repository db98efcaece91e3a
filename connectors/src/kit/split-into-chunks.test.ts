import { expect, test } from 'vitest'
import { splitIntoChunks } from './split-into-chunks.ts'

/** Guarantee: a file is split into chunks of one size and no byte is lost, whatever the sizes it is read in. */
test.for([
  { parts: ['abcdefgh'], chunks: ['abc', 'def', 'gh'] },
  { parts: ['a', 'bcd', 'ef'], chunks: ['abc', 'def'] },
  { parts: [], chunks: [] },
])('$parts', async ({ parts, chunks }) => {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })
  const found = await Array.fromAsync(splitIntoChunks(stream, 3), (chunk) => new TextDecoder().decode(chunk))
  expect(found).toEqual(chunks)
})

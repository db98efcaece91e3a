import { expect, test } from 'vitest'
import { splitIntoChunks } from './split-into-chunks.ts'

/** Guarantee: however a file arrives, it leaves in pieces of one size and nothing is lost. */
test.for([
  { parts: ['abcdefgh'], pieces: ['abc', 'def', 'gh'] },
  { parts: ['a', 'bcd', 'ef'], pieces: ['abc', 'def'] },
  { parts: [], pieces: [] },
])('$parts', async ({ parts, pieces }) => {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })
  const seen = await Array.fromAsync(splitIntoChunks(stream, 3), (piece) => new TextDecoder().decode(piece))
  expect(seen).toEqual(pieces)
})

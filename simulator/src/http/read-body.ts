import type { IncomingMessage } from 'node:http'

/** Calls back rather than promises: one closure a request instead of a chain of microtasks. */
export function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const only = chunks[0]
    done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
  })
}

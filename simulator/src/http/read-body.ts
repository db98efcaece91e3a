import type { IncomingMessage } from 'node:http'

/** Takes a callback instead of returning a promise, because load tests send many requests and a closure is cheaper. */
export function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const only = chunks[0]
    done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
  })
}

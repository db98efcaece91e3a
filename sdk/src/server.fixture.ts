import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

export type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
export type Reply = (response: ServerResponse, seen: Seen) => void

/** A server that gives the listed replies one after the other, the last one for good, and remembers what it was sent. */
export async function startServer(...replies: Reply[]) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const asked = { method, url, headers, body }
      seen.push(asked)
      const reply = replies[Math.min(seen.length, replies.length) - 1]
      reply?.(response, asked)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export const ok = (data: unknown) => json(200, { success: true, data })

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const error = {
    code,
    message: 'A sentence.',
    action: 'wait',
    retryable: true,
    details: [{ path: 'text', message: 'Too long.' }],
    docUrl: `https://carillon.dev/docs/errors/${code}`,
    traceId: 'trace-1',
  }
  return json(status, { success: false, error }, headers)
}

/** The connection breaks after the request arrived. */
export const hangUp: Reply = (response) => void response.destroy()

/** The connection breaks in the middle of the answer. */
export const hangUpHalfway: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"success":true,', () => response.destroy())
}

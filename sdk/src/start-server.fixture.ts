import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

export type ReceivedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
export type Reply = (response: ServerResponse, request: ReceivedRequest) => void

/** Starts a server that gives the listed replies one after the other, then repeats the last one. It records all requests. */
export async function startServer(...replies: Reply[]) {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const received = { method, url, headers, body }
      requests.push(received)
      const reply = replies[Math.min(requests.length, replies.length) - 1]
      reply?.(response, received)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export function jsonReply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export const okReply = (data: unknown) => jsonReply(200, { success: true, data })

export function errorReply(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const error = {
    code,
    message: 'A sentence.',
    action: 'wait',
    retryable: true,
    details: [{ path: 'text', message: 'Too long.' }],
    docUrl: `https://posts.example.org/docs/errors/${code}`,
    traceId: 'trace-1',
  }
  return jsonReply(status, { success: false, error }, headers)
}

/** Closes the connection after the request has arrived. */
export const closeConnection: Reply = (response) => void response.destroy()

/** Closes the connection in the middle of the response. */
export const closeConnectionMidResponse: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"success":true,', () => response.destroy())
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testStack } from '../../test-stack.ts'

/** Carries requests to the service. `lossy` carries them and loses the answers to new posts; `down` answers nothing. */
export async function startLine() {
  const line = { url: '', mode: 'open' as 'open' | 'lossy' | 'down', lost: 0, close: () => {} }
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      if (line.mode === 'down') return void request.socket.destroy()
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
      const answer = await fetch(new URL(testStack.baseUrl).origin + request.url, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      const body = await answer.text()
      if (line.mode === 'lossy' && request.method === 'POST' && request.url?.startsWith('/api/content/')) {
        line.lost++
        return void request.socket.destroy()
      }
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' }).end(body)
    })().catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  line.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  line.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return line
}

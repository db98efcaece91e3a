import { once } from 'node:events'
import { createServer } from 'node:http'

/** Serves files over HTTP on a local port. */
export async function serveFiles(files: Record<string, Uint8Array>): Promise<{ url(path: string): string; close(): void }> {
  const server = createServer((request, response) => {
    const bytes = files[request.url ?? '']
    response.writeHead(bytes ? 200 : 404, { 'content-type': 'application/octet-stream' }).end(bytes ?? 'nothing here')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the file server has no port')
  return {
    url: (path) => `http://127.0.0.1:${address.port}${path}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { makePng } from './png.ts'

/** Serves files over HTTP on a local port. */
export async function serveFiles(files: Record<string, Uint8Array>): Promise<{ url(path: string): string; close(): void }> {
  const { origin, close } = await listen((request, response) => {
    const bytes = files[request.url ?? '']
    response.writeHead(bytes ? 200 : 404, { 'content-type': 'application/octet-stream' }).end(bytes ?? 'nothing here')
  })
  return { url: (path) => `${origin}${path}`, close }
}

/** A page with a picture. It counts how often each was asked for. */
export async function servePage() {
  const asked: string[] = []
  const picture = makePng(0, 400, 300)
  const { origin, close } = await listen(({ url = '' }, response) => {
    asked.push(url)
    if (url === '/picture.png') response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>Bells</title><meta name=description content="On the hour."><meta property="og:image" content="picture.png">')
  })
  return { url: `${origin}/bells`, asked, [Symbol.dispose]: close }
}

async function listen(answer: RequestListener): Promise<{ origin: string; close(): void }> {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the server has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

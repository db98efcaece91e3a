import { once } from 'node:events'
import { createServer } from 'node:http'

export type ServedFiles = Record<string, { mime: string; bytes: Buffer | string }>

/** A file server for platforms that fetch media from a URL. Paths without a file get a 404. */
export async function serveFiles(files: ServedFiles) {
  const server = createServer(({ url = '' }, response) => {
    const file = files[url]
    response.writeHead(file ? 200 : 404, { 'content-type': file?.mime ?? 'text/plain' }).end(file?.bytes ?? 'not found')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return { origin, [Symbol.dispose]: () => void server.close() }
}

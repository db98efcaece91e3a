import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `up`: everything passes. `cut`: there is no connection. `error`: a proxy answers for a server that is not there. */
type LinkState = 'up' | 'cut' | 'error'

export type Link = AsyncDisposable & { url: string; set(state: LinkState): void }

/** A proxy for a window (`openDesk({ proxy: link.url })`), to interrupt what is under way: `context.setOffline` leaves open streams alone. */
export async function startLink(): Promise<Link> {
  let state: LinkState = 'up'
  const server = createServer((incoming, answer) => {
    if (state === 'error') return void answer.writeHead(502).end()
    const { method, headers, url = '' } = incoming
    const outgoing = request(url, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    outgoing.on('error', () => answer.destroy())
    answer.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  server.on('connection', (socket) => {
    if (state === 'cut') socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(next) {
      state = next
      if (state !== 'up') server.closeAllConnections()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

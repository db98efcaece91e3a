import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

export type LossyProxy = {
  url: string
  /** It is set later, because the server that is behind the proxy needs the proxy's address to start. */
  forwardTo: (url: string) => void
  /** The next request with this text is carried out, and its response is not passed on. */
  loseResponseTo: (text: string) => void
  countRequestsWith: (text: string) => number
  close: () => void
}

/** Stands in front of a server as a balancer does, and can lose a response. */
export async function openLossyProxy(): Promise<LossyProxy> {
  let target = ''
  const lost = new Set<string>()
  const bodies: string[] = []
  const server = createServer((asked, reply) => void forward(asked, reply))
  const forward = async (asked: IncomingMessage, reply: ServerResponse) => {
    const body = Buffer.concat(await asked.toArray())
    const text = body.toString()
    bodies.push(text)
    const isLost = [...lost].some((part) => text.includes(part) && lost.delete(part))
    const { method, headers } = asked
    const onward = request(`${target}${asked.url}`, { method, headers }, (answer) => {
      // The server has carried the request out when its response has ended.
      if (isLost) return void answer.resume().once('end', () => reply.destroy())
      reply.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(reply)
    })
    onward.once('error', () => reply.destroy())
    onward.end(body)
  }
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    forwardTo: (url) => (target = url),
    loseResponseTo: (text) => lost.add(text),
    countRequestsWith: (text) => bodies.filter((body) => body.includes(text)).length,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port')
  return address.port
}

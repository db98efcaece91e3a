import { randomUUID } from 'node:crypto'
import { request, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { connectionHeader } from './http/call.ts'
import type { Platform, SocketTalk } from './platform.ts'

type Address = { host: string; port: number }
type Reply = { status: number; text: string }

/** A relay takes a message of this size, and refuses what is in it by its own limit. */
const messageBytesMax = 1_000_000

/** Serves the platforms that are spoken to over WebSockets, by calls to the same server. */
export function serveSockets(server: Server, platforms: readonly Platform[]): { close(): void } {
  const talks = new Map<string, SocketTalk>(
    platforms.flatMap(({ context, talk }) => (talk ? [[`/${context.name}`, talk] as const] : [])),
  )
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax })

  const open = async (opening: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = (opening.url ?? '/').replace(/\/$/, '')
    const [prefix] = /^\/[^/?]*/.exec(path) ?? []
    const talk = talks.get(prefix ?? '')
    const address = server.address()
    if (!talk || typeof address !== 'object' || address === null) return socket.destroy()
    const to = { host: address.address, port: address.port }
    const { headers } = opening
    const door = await call(to, { method: 'GET', path: path === prefix ? `${path}/` : path, headers, body: '' })
    if (door.status === 200) {
      sockets.handleUpgrade(opening, socket, head, (webSocket) => serve(webSocket, talk, { to, path, headers }))
      return undefined
    }
    return socket.end(`HTTP/1.1 ${door.status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
  }
  server.on('upgrade', (opening: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    open(opening, socket, head).catch(() => socket.destroy())
  })
  return {
    close() {
      for (const socket of sockets.clients) socket.terminate()
    },
  }
}

type Line = { to: Address; path: string; headers: IncomingHttpHeaders }

function serve(socket: WebSocket, talk: SocketTalk, { to, path, headers }: Line): void {
  const connection = randomUUID()
  const gone = new AbortController()
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    gone.abort()
    talk.leave(connection)
  })
  const answer = async (message: string) => {
    const asked = talk.toCall(message)
    if (!asked) return
    const own = { ...headers, [connectionHeader]: connection }
    const reply = await call(to, { method: 'POST', path: path + asked.path, headers: own, body: asked.body, signal: gone.signal })
    for (const said of talk.toMessages(message, reply)) socket.send(said)
  }
  // A call that broke off is a connection that breaks off. Each message arrives as one buffer, as `binaryType` has it from the beginning.
  socket.on('message', (data) => void answer((data as Buffer).toString()).catch(() => socket.terminate()))
  for (const said of talk.greet(connection)) socket.send(said)
}

type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: string; signal?: AbortSignal }

function call({ host, port }: Address, { method, path, headers, body, signal }: Asked): Promise<Reply> {
  // What made it a WebSocket is not passed on.
  const { upgrade: _, connection: __, ...rest } = headers
  const passed = { ...rest, 'content-length': String(Buffer.byteLength(body)), 'content-type': 'application/json' }
  const own = Object.fromEntries(Object.entries(passed).filter(([name]) => !name.startsWith('sec-websocket-')))
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, method, path, headers: own, ...(signal && { signal }) }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('error', reject)
      reply.on('end', () => resolve({ status: reply.statusCode ?? 500, text: Buffer.concat(parts).toString('utf8') }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

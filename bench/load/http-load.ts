import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { summarize, type Summary } from '../stats.ts'

export type Load = { perSecond: number; count: number; refused: number; latency: Summary }

/** A POST if it has a body, otherwise a GET. */
type LoadRequest = { path: string; body?: string }

type Options = {
  baseUrl: string
  headers: Record<string, string>
  loadRequests: readonly LoadRequest[]
  connections: number
  seconds: number
  /** Sends a new Idempotency-Key with every request, as the SDK does. */
  withKeys?: boolean
}

const emptyKey = '00000000-0000-0000-0000-000000000000'

/**
 * Sends the same requests in turn, again and again, on each connection. It writes to the socket itself, because an HTTP client would take
 * processor time away from the server under test, which runs on the same machine.
 */
export async function httpLoad({
  baseUrl,
  headers,
  loadRequests,
  connections,
  seconds,
  withKeys = false,
}: Options): Promise<Load> {
  const { hostname, port, pathname } = new URL(baseUrl)
  const requests = loadRequests.map(({ path, body }) =>
    requestBytes({
      path: pathname + path,
      host: `${hostname}:${port}`,
      headers: { ...headers, ...(withKeys && { 'idempotency-key': emptyKey }) },
      body,
    }),
  )
  const times: number[] = []
  let requestCount = 0
  let refused = 0
  const begin = performance.now()
  const endsAt = begin + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = await open(hostname, Number(port))
      while (performance.now() < endsAt) {
        const template = requests[requestCount++ % requests.length] ?? Buffer.alloc(0)
        const request = withKeys ? withNewKey(template) : template
        const sent = performance.now()
        const status = await exchange(socket, request)
        times.push(performance.now() - sent)
        if (status >= 300) refused++
      }
      socket.destroy()
    }),
  )
  const tookSeconds = (performance.now() - begin) / 1000
  return { perSecond: (times.length - refused) / tookSeconds, count: times.length, refused, latency: summarize(times) }
}

type Request = { path: string; host: string; headers: Record<string, string>; body: string | undefined }

function requestBytes({ path, host, headers, body }: Request): Buffer {
  const about =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host, ...about, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

/** A copy, because the socket may not have sent the earlier request yet. */
function withNewKey(template: Buffer): Buffer {
  const request = Buffer.from(template)
  request.write(randomUUID(), template.indexOf(emptyKey), 'latin1')
  return request
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect({ host, port, noDelay: true })
    socket.once('connect', () => done(socket))
    socket.once('error', fail)
  })
}

function exchange(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((done, fail) => {
    let head: Head | undefined
    let begin: Buffer = Buffer.alloc(0)
    let got = 0
    const onData = (chunk: Buffer) => {
      got += chunk.length
      if (!head) {
        begin = begin.length === 0 ? chunk : Buffer.concat([begin, chunk])
        head = readHead(begin)
      }
      if (!head || got < head.bytes) return
      socket.off('data', onData)
      socket.off('close', onClose)
      done(head.status)
    }
    const onClose = () => fail(new Error('the server closed the connection'))
    socket.on('data', onData)
    socket.once('close', onClose)
    socket.write(request)
  })
}

type Head = { status: number; bytes: number }

/** The status and the length of the whole answer, once its head has arrived. The API always sends a Content-Length. */
function readHead(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return { status: Number(head.slice(9, 12)), bytes: end + 4 + length }
}

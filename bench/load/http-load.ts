import { connect, type Socket } from 'node:net'
import { summarize, type Summary } from '../stats.ts'

export type Load = { perSecond: number; count: number; refused: number; latency: Summary }

type Options = { url: string; headers: Record<string, string>; body: string; connections: number; seconds: number }

/**
 * Sends the same request again and again on each connection. On the socket itself, because a full HTTP client takes processor time that
 * the server under test, on the same machine, would be blamed for.
 */
export async function httpLoad({ url, headers, body, connections, seconds }: Options): Promise<Load> {
  const { hostname, port, pathname } = new URL(url)
  const request = requestBytes({ path: pathname, host: `${hostname}:${port}`, headers, body })
  const times: number[] = []
  let refused = 0
  const begin = performance.now()
  const endsAt = begin + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = await open(hostname, Number(port))
      while (performance.now() < endsAt) {
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

type Request = { path: string; host: string; headers: Record<string, string>; body: string }

function requestBytes({ path, host, headers, body }: Request): Buffer {
  const all = { host, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
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
    let answer: Buffer = Buffer.alloc(0)
    const hear = (chunk: Buffer) => {
      answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk])
      const status = wholeAnswer(answer)
      if (status === undefined) return
      socket.off('data', hear)
      socket.off('close', gone)
      done(status)
    }
    const gone = () => fail(new Error('the server closed the connection'))
    socket.on('data', hear)
    socket.once('close', gone)
    socket.write(request)
  })
}

/** The status once the answer has arrived whole; the API always says how long its answers are. */
function wholeAnswer(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return bytes.length < headEnd + 4 + length ? undefined : Number(head.slice(9, 12))
}

import { converse, NotConnected, type Transport } from '../src/kit/http.ts'

/** A simple transport for tests, without address checks or a connection pool. The server has its own. */
export const transport: Transport = async ({ method, url, headers, body, timeoutMs, beforeWrite, conversation }) => {
  if (conversation) return talk({ url, headers }, { conversation, timeoutMs, beforeWrite, bytesMax: 1_000_000 })
  checkBeforeWrite(beforeWrite)
  const response = await send(url, {
    method,
    // Without this, `fetch` would name a program of its own.
    headers: { 'user-agent': '', ...headers },
    body: body instanceof Uint8Array ? new Uint8Array(body) : body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: (bytesMax) => readText(response, bytesMax),
  }
}

/** Browsers choose their headers themselves, and so the types of this class have none. */
const NodeSocket = WebSocket as unknown as new (url: string, init: { headers: Record<string, string> }) => WebSocket

type Opening = { url: string; headers: Record<string, string> }

async function talk({ url, headers }: Opening, spoken: Parameters<typeof converse>[0]): ReturnType<Transport> {
  const said = await converse(spoken, ({ opened, heard, ended }) => {
    const socket = new NodeSocket(url, { headers })
    socket.addEventListener('open', opened)
    socket.addEventListener('message', ({ data }) => heard(typeof data === 'string' ? data : null))
    socket.addEventListener('close', () => ended(undefined))
    return socket
  })
  return { status: 200, headers: {}, text: async () => said }
}

function checkBeforeWrite(beforeWrite: (() => void) | undefined): void {
  try {
    beforeWrite?.()
  } catch (cause) {
    throw new NotConnected('The request was withdrawn before it was written.', { cause })
  }
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED') throw new NotConnected('refused', { cause })
    throw error
  }
}

async function readText(response: Response, bytesMax: number): Promise<string> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let sizeBytes = 0
  for await (const part of response.body ?? []) {
    sizeBytes += part.length
    if (sizeBytes > bytesMax) throw new Error(`The body is larger than ${bytesMax} bytes.`)
    parts.push(part)
  }
  return new Blob(parts).text()
}

import type { Static, TSchema } from 'typebox'
import type { PlatformError } from './platform-error.ts'

/** Sends a request over the network. The server provides it, with checks on the target address and one connection pool per platform. */
export type Transport = (request: {
  method: string
  url: string
  headers: Record<string, string>
  body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** The request is the opening of a WebSocket. The body is what is said first, and the text of the reply is a list of all messages. */
  conversation?: Conversation | undefined
  /** For the whole exchange, including the last byte of the body. */
  timeoutMs: number
  /**
   * Called once, synchronously, in the last line before the first byte is written to the socket. If it throws, nothing is written and
   * the transport throws NotConnected with that error among its causes. After it has returned, the request may have been sent. In a
   * conversation it is called before each message: opening the connection asks for nothing.
   */
  beforeWrite?: (() => void) | undefined
}) => Promise<TransportReply>

export type TransportReply = {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** Reads the whole body; rejects when it is larger than `bytesMax`. */
  text(bytesMax: number): Promise<string>
}

/** Thrown by a transport when nothing was written to a connection, so the request was certainly not sent. */
export class NotConnected extends Error {}

/** What is said over a WebSocket in place of one request and its answer. All messages are text. */
export type Conversation = {
  /** Said as soon as the connection is open. */
  opening: readonly string[]
  /** What is said in return for a message. `end`: nothing more is awaited. */
  next(message: string): readonly string[] | 'end'
}

/** A WebSocket, as far as a conversation needs it. A message that is no text is null. */
export type Socket = { send(text: string): void; close(): void }
export type SocketEvents = {
  opened(): void
  heard(message: string | null): void
  /** Also when it was never opened. */
  ended(cause: unknown): void
}

type Talk = Pick<Parameters<Transport>[0], 'timeoutMs' | 'beforeWrite'> & { conversation: Conversation; bytesMax: number }

/** Holds a conversation over a socket, and returns what was heard as a JSON list. What is no JSON leaves a text that is none either. */
export function converse(
  { conversation, timeoutMs, beforeWrite, bytesMax }: Talk,
  connect: (events: SocketEvents) => Socket,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const heard: string[] = []
    let hasWritten = false
    let isOver = false
    let bytes = 0
    const finish = (cause?: unknown) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      socket.close()
      if (cause === undefined) resolve(`[${heard.join(',')}]`)
      else if (hasWritten) reject(new Error('The conversation broke off.', { cause }))
      else reject(new NotConnected('Nothing was said.', { cause }))
    }
    const say = (messages: readonly string[]) => {
      try {
        for (const message of messages) {
          beforeWrite?.()
          hasWritten = true
          socket.send(message)
        }
      } catch (cause) {
        finish(cause)
      }
    }
    const timer = setTimeout(() => finish(new Error(`The conversation did not end within ${timeoutMs} ms.`)), timeoutMs)
    const socket = connect({
      opened: () => say(conversation.opening),
      heard(message) {
        if (isOver) return
        bytes += message === null ? 0 : Buffer.byteLength(message)
        if (message === null || bytes > bytesMax) return finish(new Error(`More was said than ${bytesMax} bytes of text.`))
        heard.push(message)
        const reply = conversation.next(message)
        if (reply === 'end') finish()
        else say(reply)
      },
      ended: (cause) => finish(cause ?? new Error('The connection was closed.')),
    })
  })
}

/** Turns an error answer into one of the six error kinds, by a table of the platform's own codes. */
export type Classify = (reply: { status: number; headers: Record<string, string>; body: unknown }, nowMs: number) => PlatformError

/**
 * How a token is added to a request; a bearer header unless the connector has its own way. `path` goes before the path of the call. The time is
 * that of the server, for a token that is signed anew with each request.
 */
export type Attach = (
  accessToken: string,
  nowMs: number,
) => { headers?: Record<string, string>; query?: Record<string, string>; path?: string }

export type Call<Schema extends TSchema> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A path below the origin, or an absolute URL. */
  path: string
  query?: Record<string, string | readonly string[] | undefined>
  json?: unknown
  form?: Record<string, string | undefined>
  multipart?: FormData
  bytes?: { body: Uint8Array | ReadableStream<Uint8Array>; mimeType: string }
  /** Over a WebSocket at this address, which is written with http or https. GET: what is said changes nothing. */
  conversation?: Conversation
  headers?: Record<string, string>
  /** The schema of the answer. A success that does not match it is `unknown`. */
  returns: Schema
  /** Some platforms answer with a result and an error status. A refusal whose body is of this schema is then an answer like others. */
  answersRefusals?: boolean
  /** Do not send the access token. */
  anonymous?: boolean
  /**
   * Send the access token although `path` is on another host than the account's own: the platform has its API on several. Only for an address
   * that stands in the connector, and never for one that came in an answer.
   */
  isOwnHost?: true
  /** For calls that send media and so take longer than others. */
  timeoutMs?: number
}

/** A success with its status and headers, for platforms that put the result there. */
type Answer<Schema extends TSchema> = { status: number; headers: Record<string, string>; body: Static<Schema> }

/** The HTTP client of a connector: one origin, the token attached, and every failure a PlatformError. */
export type Http = {
  readonly origin: string
  /** The server's clock: a connector has none of its own. */
  nowMs(): number
  /** Only for `stage`, and only for some seconds: what it made is not ready and the next call needs it. */
  wait(ms: number): Promise<void>
  call<Schema extends TSchema>(call: Call<Schema>): Promise<Static<Schema>>
  exchange<Schema extends TSchema>(call: Call<Schema>): Promise<Answer<Schema>>
}

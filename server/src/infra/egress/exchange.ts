import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { EgressError } from './egress-error.ts'

export type Outgoing = {
  method: string
  url: URL
  headers: Record<string, string>
  body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** For everything: waiting for a socket, connecting, sending and reading the answer to its end. */
  timeoutMs: number
  /** Called in the last line before the request is written. If it throws, nothing is written. */
  beforeWrite?: (() => void) | undefined
}

export type Answer = {
  status: number
  headers: Record<string, string>
  /** Reads the body to its end, or to `bytesMax`: then it is cut there, or the read fails. */
  read(limit: { bytesMax: number; overflow: 'cut' | 'reject' }): Promise<{ body: Buffer; truncated: boolean }>
  /** The body as it arrives, for what is too large to hold; past `bytesMax` or the time limit it ends in an error. */
  stream(limit: { bytesMax: number }): Readable
  /** For an answer whose body is of no use: what has not arrived by now never will. */
  drop(): void
}

/** How much of a body may arrive before anyone has asked for it. */
const unreadBytesMax = 65_536

/**
 * One request and its answer on undici's lowest level, because only there one learns whether the request was written: the difference
 * between "certainly not done" and "nobody knows".
 */
export function exchange(dispatcher: Dispatcher, outgoing: Outgoing): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, url, headers, body, timeoutMs, beforeWrite } = outgoing
    const payload = body instanceof ReadableStream ? Readable.from(body, { objectMode: false }) : body
    // A stream nobody comes to read must not bring the process down when it is destroyed.
    if (payload instanceof Readable) payload.on('error', () => {})
    const handler = new Exchange({ timeoutMs, beforeWrite, resolve, reject, payload })
    dispatcher.dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body: payload }, handler)
  })
}

type Parts = {
  timeoutMs: number
  beforeWrite: (() => void) | undefined
  resolve: (answer: Answer) => void
  reject: (error: EgressError) => void
  payload: string | Uint8Array | Readable | null
}

type Reader = {
  bytesMax: number
  overflow: 'cut' | 'reject'
  resolve: (read: { body: Buffer; truncated: boolean }) => void
  reject: (error: EgressError) => void
}

type Sink = { body: Readable; bytesMax: number }

class Exchange implements Dispatcher.DispatchHandler {
  readonly #parts: Parts
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #controller: Dispatcher.DispatchController | null = null
  #isAnswered = false
  #isWhole = false
  #failure: EgressError | null = null
  #reader: Reader | null = null
  #sink: Sink | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#timer = setTimeout(() => this.#runOut(), parts.timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while waiting for a socket: the caller was told it was not sent, and so it never is.
    if (this.#failure) throw this.#failure
    this.#checkBeforeWrite()
    // From here on the request counts as sent: undici writes it as soon as this returns.
    this.#controller = controller
  }

  /** undici calls `onRequestStart` synchronously before it writes, and writes nothing if that throws. */
  #checkBeforeWrite(): void {
    try {
      this.#parts.beforeWrite?.()
    } catch (cause) {
      const error = new EgressError('withdrawn', 'The request was withdrawn before it was written.', { sent: false, cause })
      this.#fail(error)
      throw error
    }
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    this.#isAnswered = true
    this.#parts.resolve({
      status,
      headers: flat(headers),
      read: (limit) => new Promise((resolve, reject) => this.#read({ ...limit, resolve, reject })),
      stream: ({ bytesMax }) => this.#stream(bytesMax),
      drop: () => this.#fail(new EgressError('network', 'The body of the answer was not wanted.', { sent: true })),
    })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#failure) return
    this.#bytes += chunk.length
    if (this.#sink) return this.#pour(this.#sink, chunk)
    this.#chunks.push(chunk)
    if (this.#reader) this.#judgeSize(this.#reader)
    else if (this.#bytes > unreadBytesMax) controller.pause()
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    this.#isWhole = true
    this.#settle()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#explain(error))
  }

  #read(reader: Reader): void {
    this.#reader = reader
    this.#judgeSize(reader)
    this.#settle()
    if (this.#controller?.paused) this.#controller.resume()
  }

  #stream(bytesMax: number): Readable {
    const body = new Readable({
      read: () => {
        if (this.#controller?.paused) this.#controller.resume()
      },
      destroy: (error, done) => {
        this.#fail(new EgressError('network', 'The rest of the answer was not wanted.', { sent: true }))
        done(error)
      },
    })
    // Whoever reads it hears of the error; one that nobody reads must not bring the process down.
    body.on('error', () => {})
    this.#sink = { body, bytesMax }
    for (const chunk of this.#chunks.splice(0)) body.push(chunk)
    this.#judgeSize(this.#sink)
    this.#settle()
    return body
  }

  #pour(sink: Sink, chunk: Buffer): void {
    this.#judgeSize(sink)
    if (!this.#failure && !sink.body.push(chunk)) this.#controller?.pause()
  }

  #judgeSize({ bytesMax }: { bytesMax: number }): void {
    if (this.#bytes > bytesMax)
      this.#fail(new EgressError('too_large', `The answer is larger than ${bytesMax} bytes.`, { sent: true }))
  }

  #runOut(): void {
    const { timeoutMs } = this.#parts
    this.#fail(new EgressError('timeout', `No whole answer within ${timeoutMs} ms.`, { sent: this.#controller !== null }))
  }

  /** The first reason stands: what follows it is only undici reporting our own abort. */
  #fail(error: EgressError): void {
    if (this.#failure || this.#isSettledWhole()) return
    this.#failure = error
    clearTimeout(this.#timer)
    const { payload, reject } = this.#parts
    if (payload instanceof Readable) payload.destroy()
    if (!this.#isWhole) this.#controller?.abort(error)
    if (!this.#isAnswered) reject(error)
    this.#settle()
  }

  /** A body that arrived whole can still be too large for the one who asks for it. */
  #isSettledWhole(): boolean {
    const bytesMax = (this.#reader ?? this.#sink)?.bytesMax ?? Infinity
    return this.#isWhole && this.#bytes <= bytesMax
  }

  #settle(): void {
    const [reader, sink] = [this.#reader, this.#sink]
    if (sink && this.#failure) sink.body.destroy(this.#failure)
    else if (sink && this.#isWhole) sink.body.push(null)
    if (reader === null || (!this.#isWhole && !this.#failure)) return
    const whole = Buffer.concat(this.#chunks)
    if (!this.#failure) reader.resolve({ body: whole, truncated: false })
    else if (reader.overflow === 'cut') reader.resolve({ body: whole.subarray(0, reader.bytesMax), truncated: true })
    else reader.reject(this.#failure)
  }

  #explain(error: Error): EgressError {
    if (error instanceof EgressError) return error
    const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
    const facts = { sent: this.#controller !== null, cause: error }
    if (code === 'UND_ERR_HEADERS_OVERFLOW')
      return new EgressError('too_large', 'The headers of the answer are too large.', facts)
    if (code === 'UND_ERR_INVALID_ARG') return new EgressError('bad_url', 'The request cannot be written.', facts)
    return new EgressError('network', `The connection broke off (${code}).`, facts)
  }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ')
  }
  return result
}

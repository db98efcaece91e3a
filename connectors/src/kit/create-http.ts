import { setTimeout as sleep } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import type { Credentials } from './auth.ts'
import { cleanText } from './clean-text.ts'
import { encodeCall } from './encode-call.ts'
import { type Attach, type Call, type Classify, type Http, NotConnected, type Transport } from './http.ts'
import { parseJson } from './parse-json.ts'
import { isOfShape } from './is-of-shape.ts'
import { PlatformError } from './platform-error.ts'

export type HttpOptions = {
  transport: Transport
  origin: string
  /** Null while there is no connection yet, for example during sign-in. */
  credentials: Credentials | null
  classify: Classify
  attach?: Attach | undefined
  nowMs: () => number
  wait?: ((ms: number) => Promise<void>) | undefined
  timeoutMs?: number
  bytesMax?: number
  /** The last check before each request is written to the socket; see Transport. If it throws, the call fails as `unavailable`. */
  beforeWrite?: (() => void) | undefined
}

type RawReply = { status: number; headers: Record<string, string>; text: string | null }

const timeoutMsDefault = 15_000
const bytesMaxDefault = 1_000_000

/** The HTTP client of a connector. It sends every request once: only the server decides whether to repeat. */
export function createHttp(options: HttpOptions): Http {
  const { origin, classify, nowMs, attach } = options
  const accessToken = options.credentials?.accessToken ?? null
  const exchange: Http['exchange'] = async (call) => {
    const request = await encodeCall(call, { origin, accessToken, attach, nowMs: nowMs() })
    const { status, headers, text } = await send(options, call, request)
    const body = parseJson(text)
    if (status < 200 || status > 299) {
      if (call.answersRefusals && status < 500 && isOfShape(call.returns, body)) return { status, headers, body }
      // A filter answers programs with a page when it takes them for attackers. The platform does not know of the request.
      if (status === 403 && isPage(call, body)) throw filtered()
      const refusal = classify({ status, headers, body }, nowMs())
      throw unavailableIfRead(call, text === null ? withoutReason(refusal) : refusal)
    }
    if (isPage(call, body) || !isOfShape(call.returns, body))
      throw unavailableIfRead(call, unknown('The platform accepted the request, but its answer has an unexpected format.'))
    return { status, headers, body }
  }
  return { origin, nowMs, wait: options.wait ?? sleep, exchange, call: async (call) => (await exchange(call)).body }
}

async function send(
  options: HttpOptions,
  call: Call<TSchema>,
  request: Awaited<ReturnType<typeof encodeCall>>,
): Promise<RawReply> {
  const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? timeoutMsDefault
  const { method, conversation } = call
  const sending = transmit(options, { ...request, method, conversation, timeoutMs, beforeWrite: options.beforeWrite })
  try {
    return await withTimeout(timeoutMs, sending)
  } catch (cause) {
    if (cause instanceof NotConnected) {
      const message = 'The platform could not be reached.'
      throw new PlatformError({ kind: 'unavailable', platformCode: null, reason: 'unreachable', message, cause })
    }
    throw unavailableIfRead(call, unknown('The platform did not answer, or its answer was lost.', cause))
  }
}

async function transmit(
  { transport, bytesMax = bytesMaxDefault }: HttpOptions,
  request: Parameters<Transport>[0],
): Promise<RawReply> {
  const reply = await transport(request)
  const { status } = reply
  const headers = cleanHeaders(reply.headers)
  try {
    return { status, headers, text: await reply.text(bytesMax) }
  } catch (cause) {
    // The status alone makes it a refusal, even if the body is lost or too large.
    if (status >= 400) return { status, headers, text: null }
    throw cause
  }
}

function cleanHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, cleanText(textOfBytes(value))]))
}

/**
 * HTTP clients read each byte of a header as one character. Read as UTF-8, like a body, bytes that are no text become U+FFFD, by which a
 * damaged id is recognised.
 */
function textOfBytes(value: string): string {
  const codes = Array.from(value, (character) => character.charCodeAt(0))
  const isBytes = codes.some((code) => code > 0x7f) && codes.every((code) => code <= 0xff)
  return isBytes ? new TextDecoder().decode(Uint8Array.from(codes)) : value
}

const pageStart = /^\s*<(?:!doctype html|html)/i

/**
 * A page for people, which something between us and the platform has sent, whatever its status says. Addresses of single uploads, which are
 * called without a token, answer with pages themselves.
 */
function isPage({ anonymous }: Call<TSchema>, body: unknown): boolean {
  return anonymous !== true && typeof body === 'string' && pageStart.test(body)
}

function filtered(): PlatformError {
  const message = 'A filter in front of the platform did not let the request through.'
  return new PlatformError({ kind: 'unavailable', platformCode: '403', reason: 'unreachable', message })
}

function unknown(message: string, cause?: unknown): PlatformError {
  return new PlatformError({ kind: 'unknown', platformCode: null, message, cause })
}

/** The body, which was lost, contains the reason: it may be an expired token. So the refusal is not taken as one of the content. */
function withoutReason(error: PlatformError): PlatformError {
  if (error.kind !== 'rejected') return error
  const { platformCode, message, cause } = error
  return new PlatformError({ kind: 'rejected', platformCode, message, isTemporary: true, cause })
}

/** A read changes nothing, so after a lost answer it can be repeated. Any other call may have been carried out. */
function unavailableIfRead(call: Call<TSchema>, error: PlatformError): PlatformError {
  if (call.method !== 'GET' || error.kind !== 'unknown') return error
  const { platformCode, message, cause } = error
  return new PlatformError({ kind: 'unavailable', platformCode, message, cause })
}

/** The transport has the same timeout. This one also ends a body that arrives slowly but steadily. */
async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`No complete answer within ${timeoutMs} ms.`)), timeoutMs)
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

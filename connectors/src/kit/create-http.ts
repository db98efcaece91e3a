import type { TSchema } from 'typebox'
import type { Credentials } from './auth.ts'
import { encodeCall } from './encode-call.ts'
import { type Attach, type Call, type Classify, type Http, NotConnected, type Transport } from './http.ts'
import { parseJson } from './parse-json.ts'
import { isOfShape } from './is-of-shape.ts'
import { PlatformError } from './platform-error.ts'

export type HttpOptions = {
  transport: Transport
  origin: string
  /** Null before there is a connection, for example while opening a session. */
  credentials: Credentials | null
  classify: Classify
  attach?: Attach | undefined
  nowMs: () => number
  timeoutMs?: number
  bytesMax?: number
}

type RawReply = { status: number; headers: Record<string, string>; text: string | null }

const timeoutMsDefault = 15_000
const bytesMaxDefault = 1_000_000

/** The one way a connector reaches its platform. Sends once, never again: repeating is the caller's decision. */
export function createHttp(options: HttpOptions): Http {
  const { origin, classify, nowMs, attach } = options
  const accessToken = options.credentials?.accessToken ?? null
  const exchange: Http['exchange'] = async (call) => {
    const request = await encodeCall(call, { origin, accessToken, attach })
    const { status, headers, text } = await send(options, call, request)
    const body = parseJson(text)
    if (status < 200 || status > 299) throw unavailableIfRead(call, classify({ status, headers, body }, nowMs()))
    if (!isOfShape(call.returns, body))
      throw unavailableIfRead(call, unknown('The platform said yes in words we do not understand.'))
    return { status, headers, body }
  }
  return { origin, exchange, call: async (call) => (await exchange(call)).body }
}

async function send(
  options: HttpOptions,
  call: Call<TSchema>,
  request: Awaited<ReturnType<typeof encodeCall>>,
): Promise<RawReply> {
  const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? timeoutMsDefault
  const sending = transmit(options, { ...request, method: call.method, timeoutMs })
  try {
    return await withTimeout(timeoutMs, sending)
  } catch (cause) {
    if (cause instanceof NotConnected) {
      throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'The platform could not be reached.', cause })
    }
    throw unavailableIfRead(call, unknown('The platform did not answer, or its answer was lost on the way.', cause))
  }
}

async function transmit(
  { transport, bytesMax = bytesMaxDefault }: HttpOptions,
  request: Parameters<Transport>[0],
): Promise<RawReply> {
  const reply = await transport(request)
  const { status, headers } = reply
  try {
    return { status, headers, text: await reply.text(bytesMax) }
  } catch (cause) {
    // A refusal stands even when the words that explain it are lost or too many.
    if (status >= 400) return { status, headers, text: null }
    throw cause
  }
}

function unknown(message: string, cause?: unknown): PlatformError {
  return new PlatformError({ kind: 'unknown', platformCode: null, message, cause })
}

/** A read changes nothing, so a lost answer to one leaves nothing in doubt; anything else may have been done. */
function unavailableIfRead(call: Call<TSchema>, error: PlatformError): PlatformError {
  if (call.method !== 'GET' || error.kind !== 'unknown') return error
  const { platformCode, message, cause } = error
  return new PlatformError({ kind: 'unavailable', platformCode, message, cause })
}

/** The transport has the same limit; this one holds even when a body trickles past it. */
async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`No complete answer within ${timeoutMs} ms.`)), timeoutMs)
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

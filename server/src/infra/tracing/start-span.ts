import type { Transport } from '@carillon/connectors/kit'
import type { Context } from '../../context.ts'

/** Values that may leave the installation: names, numbers and codes. Never a token, an address with its query, or a text of a user. */
type SpanAttributes = Readonly<Record<string, string | number>>

export type SpanFacts = {
  kind: 'server' | 'producer' | 'consumer' | 'client' | 'internal'
  /** The traceparent of the span above. A parent that is not sampled has no spans below it. */
  parent?: string | null | undefined
  /** For a span without a parent: the id of its trace. */
  traceId?: string
  attributes?: SpanAttributes
}

export type Span = {
  /** For the spans below, in this process or in another. */
  readonly traceparent: string
  end(result?: { attributes?: SpanAttributes; hasFailed?: boolean }): void
}

export type StartSpan = (name: string, facts: SpanFacts) => Span | null

/** Null until `startTracing` was called: then nothing is recorded. */
export function createTracing(): { value: { startSpan: StartSpan | null } } {
  return { value: { startSpan: null } }
}

/** Starts a span. Null if tracing is off or this trace is not sampled. */
export function startSpan(ctx: Pick<Context, 'resources'>, name: string, facts: SpanFacts): Span | null {
  // The creating function does not use its argument.
  const { startSpan: start } = ctx.resources.get(createTracing, ctx as Context)
  return start ? start(name, facts) : null
}

/** The header of W3C Trace Context: `00-<trace id>-<span id>-<flags>`. */
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

type TraceContext = { traceId: string; spanId: string; isSampled: boolean }

/** Null for a header that is missing or not valid; a trace or span of zeros is not valid. */
export function parseTraceparent(header: unknown): TraceContext | null {
  const [, traceId, spanId, flags] = (typeof header === 'string' && pattern.exec(header)) || []
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** The id of a request as a trace id: the same 32 digits, without the hyphens of a UUID. */
export function traceIdOf(requestId: string): string {
  return requestId.replaceAll('-', '')
}

/** A trace id in the form of a UUID, as it appears in `X-Request-Id`, in answers and in the log. */
export function requestIdOf(traceId: string): string {
  return traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** For log lines: the id of the request that a stored traceparent belongs to. */
export function requestIdFrom(traceparent: string | null | undefined): string | undefined {
  const context = parseTraceparent(traceparent)
  return context ? requestIdOf(context.traceId) : undefined
}

/** The context of a request for which no span is recorded. Its span id must only be valid, so it is a part of the id. */
export function unsampledTraceparent(requestId: string): string {
  const traceId = traceIdOf(requestId)
  return formatTraceparent({ traceId, spanId: traceId.slice(16), isSampled: false })
}

type Calls = { platform: string; parent: string | undefined }

/** Records a span for each request to a platform. Only the host is named: paths and queries of some platforms contain tokens. */
export function traceCalls(ctx: Context, transport: Transport, { platform, parent }: Calls): Transport {
  if (parent === undefined) return transport
  return async (call) => {
    const host = URL.parse(call.url)?.host ?? ''
    const span = startSpan(ctx, `${call.method} ${platform}`, {
      kind: 'client',
      parent,
      attributes: { 'http.request.method': call.method, 'server.address': host, 'carillon.platform': platform },
    })
    try {
      const reply = await transport(call)
      span?.end({ attributes: { 'http.response.status_code': reply.status }, hasFailed: reply.status >= 400 })
      return reply
    } catch (error) {
      span?.end({ attributes: { 'error.type': error instanceof Error ? error.name : 'unknown' }, hasFailed: true })
      throw error
    }
  }
}

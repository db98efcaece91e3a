/** The header of W3C Trace Context: `00-<trace id>-<span id>-<flags>`. */
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

export type TraceContext = { traceId: string; spanId: string; isSampled: boolean }

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

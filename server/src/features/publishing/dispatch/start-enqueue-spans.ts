import type { Context } from '../../../context.ts'
import { startSpan, type Span } from '../../../infra/tracing/start-span.ts'
import type { Claimed } from './claim.store.ts'

/** By channel: the span (traceparent) that its job continues. Undefined if no channel is traced. */
export type Traces = Record<string, string> | undefined

/** Records that channels are handed to the engine, each in the trace of the request that created it. */
export function startEnqueueSpans(ctx: Context, claimed: readonly Claimed[]): { traces: Traces; end(): void } {
  const spans: Span[] = []
  let traces: Traces
  for (const { channelId, platform, traceparent } of claimed) {
    const attributes = { 'carillon.platform': platform, 'carillon.channel': channelId }
    const span = traceparent && startSpan(ctx, 'enqueue publish', { kind: 'producer', parent: traceparent, attributes })
    if (!span) continue
    spans.push(span)
    traces = { ...traces, [channelId]: span.traceparent }
  }
  return { traces, end: () => spans.forEach((span) => span.end()) }
}

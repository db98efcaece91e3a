import type { Context } from '../../../context.ts'
import { startSpan, type Span } from '../../../infra/tracing/start-span.ts'
import type { LoadedChannel } from '../open-channel.ts'
import type { Result } from '../settle/result.ts'

/** Records a send in the trace of its request; null if that is not traced. */
export function startSendSpan(ctx: Context, { channel }: LoadedChannel, parent: string | undefined): Span | null {
  if (parent === undefined) return null
  const attributes = { 'carillon.platform': channel.platform, 'carillon.channel': channel.id, 'carillon.attempt': channel.tries }
  return startSpan(ctx, 'publish', { kind: 'consumer', parent, attributes })
}

export function endSendSpan(span: Span | null, result: Result): void {
  const code = 'error' in result ? { 'error.type': result.error.code } : {}
  const hasFailed = result.kind !== 'published' && result.kind !== 'processing'
  span?.end({ attributes: { 'carillon.outcome': result.kind, ...code }, hasFailed })
}

import { connectors, readRetryAfterMs } from '@carillon/connectors'
import type { WebhookFormat } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { EgressReply } from '../../infra/egress/egress.ts'

const tooManyRequests = 429

/** How long a receiver that has had enough asks to wait; undefined if it does not say. */
export function askedWaitMs(
  ctx: Context,
  { format }: { format: WebhookFormat },
  { status, headers, body }: Pick<EgressReply, 'status' | 'headers' | 'body'>,
): number | undefined {
  if (status !== tooManyRequests) return undefined
  const inHeader = readRetryAfterMs(headers, ctx.nowMs())
  if (inHeader !== undefined || format === 'json') return inHeader
  const seconds = connectors[format].chat?.waitSeconds?.(parse(body))
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000)
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}

import type { Transport } from '@carillon/connectors/kit'
import type { Context } from '../../context.ts'
import { startSpan } from './start-span.ts'

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

import type { Context } from '../../context.ts'
import { serverQueueMs, serverWaitMs } from '../connections/calls/server-health.ts'
import { giveUpAfterMs } from './settle/judge-failure.ts'

type DueChannel = { platform: string; instanceUrl: string | null; dueAtMs: number; isCalling: boolean }

/** How long a due channel waits for its server, 0 if it is sent now. What is very late is tried anyway, so that it ends with the reason. */
export function waitForServerMs(ctx: Context, { platform, instanceUrl, dueAtMs, isCalling }: DueChannel): number {
  if (ctx.nowMs() - dueAtMs > giveUpAfterMs) return 0
  const server = { platform, instanceUrl }
  const waitMs = serverWaitMs(ctx, server, { isCalling })
  return waitMs === 0 ? 0 : Math.max(waitMs, serverQueueMs(ctx, server))
}

import type { ReturnsOf, workspaces } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { sumStorage } from '../media/media.store.ts'
import { currentUsage } from '../workspaces/present-workspace.ts'
import { findUsedTokens } from './ai-usage.store.ts'

/** What the workspace has used of its plan and of the limits of this server. */
export async function getUsage(scope: RequestScope): Promise<ReturnsOf<typeof workspaces.usage>> {
  const { ctx, tx, principal, nowMs } = scope
  const { workspaceId, plan } = principal
  const { quotas, ai } = ctx.config
  const month = new Date(nowMs).toISOString().slice(0, 7)
  return {
    posts: await currentUsage(scope, workspaceId, plan),
    storage: {
      usedBytes: await sumStorage(tx, workspaceId),
      limitBytes: Number.isFinite(quotas.storageBytes) ? quotas.storageBytes : null,
    },
    ai: ai === null ? null : { usedTokens: await findUsedTokens(tx, { workspaceId, month }), limitTokens: ai.monthlyTokens },
  }
}

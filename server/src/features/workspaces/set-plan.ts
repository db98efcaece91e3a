import type { Plan } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { StartError } from '../../infra/problem/problem.ts'
import { updateWorkspace } from './workspace.store.ts'

/** Sets the plan of a workspace for its operator. API processes use it within half a second. */
export async function setPlan(ctx: Context, { workspaceId, plan }: { workspaceId: string; plan: Plan }): Promise<void> {
  const change = { plan, updated_at: new Date(ctx.nowMs()) }
  const row = await ctx.db.tenant(workspaceId, (tx) => updateWorkspace(tx, workspaceId, change))
  if (!row) throw new StartError(`There is no workspace ${workspaceId}.`)
}

import { randomInt } from 'node:crypto'
import type { Plan, QueryOf, Role, Usage, Workspace, workspaces } from '@carillon/contract'
import type { Config } from '../../config.ts'
import { externalFields } from '../../infra/db/external-columns.ts'
import { ruleOf } from '../../infra/http/principal.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { type WorkspaceRow, countAcceptedPost, findWorkspace, listWorkspacesOf, sumAcceptedPosts } from './workspace.store.ts'

export async function presentWorkspace(
  scope: Pick<RequestScope, 'ctx' | 'tx' | 'nowMs'>,
  row: WorkspaceRow,
  role: Role,
): Promise<Workspace> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    hasPlans: hasPlans(scope.ctx.config, row.plan),
    timezone: row.timezone,
    holdIfLateMinutes: row.hold_if_late_minutes,
    approval: ruleOf(row),
    ...(row.return_origins.length > 0 && { returnOrigins: row.return_origins }),
    ...(row.utm && { utm: row.utm }),
    role,
    createdAt: row.created_at.toISOString(),
    usage: await currentUsage(scope, row.id, row.plan),
    ...externalFields(row),
  }
}

/** Without plans every workspace has the largest one, and nobody needs to hear of it. One that has a smaller one must find the way back. */
function hasPlans({ plan, planChanges }: Pick<Config, 'plan' | 'planChanges'>, own: Plan): boolean {
  return plan !== 'business' || planChanges === 'operator' || own !== 'business'
}

export async function getWorkspace(scope: RequestScope): Promise<Workspace> {
  const row = await findWorkspace(scope.tx, scope.principal.workspaceId)
  if (!row) throw problem('workspace_not_found')
  return presentWorkspace(scope, row, scope.principal.role)
}

export async function getWorkspaces(scope: RequestScope, query: QueryOf<typeof workspaces.list>): Promise<Workspace[]> {
  const rows = await listWorkspacesOf(scope.tx, scope.principal.personId, query)
  return Promise.all(rows.map((row) => presentWorkspace(scope, row, row.role)))
}

/** Posts a month by plan; -1 means unlimited. */
const monthlyPosts: Readonly<Record<Plan, number>> = { free: 30, pro: -1, business: -1 }
const shards = 8

/** Counts an accepted post against the plan, or refuses it. */
export async function countUsage({ tx, principal, nowMs }: RequestScope): Promise<Usage> {
  const limit = monthlyPosts[principal.plan]
  // A limited plan counts in one row, so that two requests cannot both take the last post.
  const shard = limit === -1 ? randomInt(shards) : 0
  const count = await countAcceptedPost(tx, { workspaceId: principal.workspaceId, month: monthOf(nowMs), shard })
  if (limit !== -1 && count > limit)
    throw problem('plan_limit_reached', {
      message: `The ${principal.plan} plan includes ${limit} posts a month, and they are used up.`,
    })
  return usage(count, principal.plan)
}

export async function currentUsage(
  { tx, nowMs }: Pick<RequestScope, 'tx' | 'nowMs'>,
  workspaceId: string,
  plan: Plan,
): Promise<Usage> {
  return usage(await sumAcceptedPosts(tx, workspaceId, monthOf(nowMs)), plan)
}

function usage(count: number, plan: Plan): Usage {
  const limit = monthlyPosts[plan]
  return { count, limit, remaining: limit === -1 ? -1 : Math.max(0, limit - count) }
}

function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7)
}

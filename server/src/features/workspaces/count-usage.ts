import type { Plan, Usage } from '@carillon/contract'
import { randomInt } from 'node:crypto'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { sumAcceptedPosts, countAcceptedPost } from './usage.store.ts'

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

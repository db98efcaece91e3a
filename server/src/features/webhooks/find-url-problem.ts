import type { Context } from '../../context.ts'
import { problem, type Problem } from '../../infra/problem/problem.ts'

/**
 * Why this URL may not be saved; null if it may. Only https is allowed, and no address inside our own network. Each send checks again,
 * because the host can later resolve to another address. Resolving the host may take seconds, so call this outside
 * of a transaction.
 */
export async function findUrlProblem(ctx: Context, url: string): Promise<Problem | null> {
  const verdict = await ctx.egress.checkUrl(url, { https: true })
  if (verdict.ok) return null
  const details = [{ path: 'url', message: verdict.reason }]
  return problem(verdict.code === 'bad_url' ? 'request_invalid' : 'url_refused', { details })
}

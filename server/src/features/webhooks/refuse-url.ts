import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'

/** Only https, and nothing inside our own network. Each send checks again: a name can be pointed elsewhere later. */
export async function refuseUrl(ctx: Context, url: string): Promise<void> {
  const verdict = await ctx.egress.checkUrl(url, { https: true })
  if (verdict.ok) return
  const details = [{ path: 'url', message: verdict.reason }]
  throw problem(verdict.code === 'bad_url' ? 'request_invalid' : 'url_refused', { details })
}

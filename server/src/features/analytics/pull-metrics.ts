import type { PlatformError } from '@carillon/connectors'
import { describeConnection } from '../connections/describe-connection.ts'
import { findConnection } from '../connections/connection.store.ts'
import { connectorOf, openClient, type ConnectionAccess } from '../connections/open-client.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { listPublished, type PublishedChannel } from '../posts/reading/finished.store.ts'
import { askPlatform, type Told } from './ask-platform.ts'
import type { PullRef } from './jobs.ts'
import { findAskedTimes, saveAnswers } from './metric.store.ts'
import { deletePull, findPull, settlePull, type PullEnd, type PullRow } from './pull.store.ts'
import { backoffAfter, failuresMax, followMs, isDue, nextAskAtMs, paceMs, restMs, wantedFollowMs } from './pull-times.ts'

/** Posts of one connection that are followed, and how many of them one run asks about. */
const followMax = 2000
const askMax = 50
/** After a failure a few at a time, so that a slow platform gets somewhere. */
const askFewMax = 5
const limitedWaitMs = 15 * 60_000
const limitedWaitMinMs = 60_000

type Post = PublishedChannel & { askedAtMs: number | null }
type LoadedPull = { pull: PullRow; access: ConnectionAccess; isUsable: boolean; posts: Post[] }

/**
 * Asks a connection's platform about the posts whose turn it is and writes down what it tells. Repeatable. Gives `seenAtMs` when the
 * token is not accepted and a new one may help; the pull is then still under way.
 */
export async function pullMetrics(
  ctx: Context,
  ref: PullRef,
  { isRenewed }: { isRenewed: boolean },
): Promise<{ seenAtMs: number } | null> {
  const startedMs = ctx.nowMs()
  const loaded = await ctx.db.tenant(ref.workspaceId, (tx) => loadPull(tx, ref, startedMs))
  if (!loaded) return null
  const { pull, access, posts } = loaded
  const connector = connectorOf(ctx, access.platform)
  const wantedAtMs = pull.wanted_at?.getTime() ?? null
  const due = posts.filter((post) => isDue(knownOf(post), { nowMs: startedMs, wantedAtMs })).toSorted(byTurn)
  const canAsk = loaded.isUsable && connector.metrics !== undefined
  const told = canAsk ? await ask(ctx, loaded, due.slice(0, askMax)) : { answers: [], stopped: null }
  const { stopped } = told
  const mayRenew = stopped?.kind === 'auth' && !isRenewed && connector.auth.renew !== undefined
  if (stopped && !mayRenew)
    ctx.log.info({ connection: access.id, kind: stopped.kind, code: stopped.platformCode }, 'figures were not told')

  const at = new Date(ctx.nowMs())
  await ctx.db.tenant(ref.workspaceId, async (tx) => {
    if (told.answers.length > 0)
      await saveAnswers(tx, { workspaceId: ref.workspaceId, platform: access.platform, at }, told.answers)
    if (mayRenew) return
    const askedIds = new Set(told.answers.map(({ channelId }) => channelId))
    const since = posts.map((post) => (askedIds.has(post.id) ? { ...post, askedAtMs: at.getTime() } : post))
    const end = stopped
      ? endAfter(stopped, pull, at.getTime())
      : endWell(since, { canAsk, isMore: due.length > askMax, nowMs: at.getTime() })
    await settlePull(tx, ref, pull, end)
  })
  return mayRenew ? { seenAtMs: startedMs } : null
}

async function loadPull(tx: Tx, ref: PullRef, nowMs: number): Promise<LoadedPull | null> {
  const { workspaceId, connectionId } = ref
  const key = { workspaceId, id: connectionId }
  const pull = await findPull(tx, ref)
  if (!pull) return null
  const access = await findConnection(tx, workspaceId, connectionId)
  const described = await describeConnection(tx, workspaceId, connectionId)
  if (!access || !described) {
    await deletePull(tx, ref)
    return null
  }
  const since = new Date(nowMs - (pull.wanted_at ? wantedFollowMs : followMs))
  const published = await listPublished(tx, key, { since, limit: followMax })
  const askedTimes = await findAskedTimes(
    tx,
    workspaceId,
    published.map(({ id }) => id),
  )
  return {
    pull,
    access,
    isUsable: described.status === 'active' || described.status === 'expiring',
    posts: published.map((post) => ({ ...post, askedAtMs: askedTimes.get(post.id)?.getTime() ?? null })),
  }
}

async function ask(ctx: Context, { pull, access }: LoadedPull, posts: readonly Post[]): Promise<Told> {
  const { connector, client } = openClient(ctx, access)
  const { metrics } = connector
  if (!metrics) return { answers: [], stopped: null }
  return askPlatform((postIds) => metrics(client, postIds), posts, pull.failures === 0 ? askMax : askFewMax)
}

function endWell(
  posts: readonly Post[],
  { canAsk, isMore, nowMs }: { canAsk: boolean; isMore: boolean; nowMs: number },
): PullEnd {
  const turns = posts.map((post) => nextAskAtMs(knownOf(post))).filter((turn) => turn !== null)
  const soonestMs = isMore ? nowMs + paceMs : canAsk ? Math.min(...turns) : nowMs + restMs
  return {
    nextAt: isMore || turns.length > 0 ? new Date(Math.max(soonestMs, nowMs + paceMs)) : null,
    heldUntil: null,
    failures: 0,
    isWishDone: !isMore,
  }
}

/** What a refusal means for the next pull. A token that is not accepted is no reason to ask again before tomorrow. */
function endAfter({ kind, retryAfterMs }: PlatformError, { failures }: PullRow, nowMs: number): PullEnd {
  if (kind === 'limited') {
    const heldUntil = new Date(nowMs + Math.max(retryAfterMs ?? limitedWaitMs, limitedWaitMinMs))
    return { nextAt: heldUntil, heldUntil, failures, isWishDone: false }
  }
  if (kind === 'auth') return { nextAt: new Date(nowMs + restMs), heldUntil: null, failures: 0, isWishDone: true }
  const waitMs = Math.max(backoffAfter(failures), retryAfterMs ?? 0)
  const tried = Math.min(failures + 1, failuresMax)
  return { nextAt: new Date(nowMs + waitMs), heldUntil: null, failures: tried, isWishDone: tried >= failuresMax }
}

function knownOf({ publishedAt, askedAtMs }: Post) {
  return { publishedAtMs: publishedAt.getTime(), askedAtMs }
}

/** Those never asked about first, then those not asked about for longest. */
function byTurn(a: Post, b: Post): number {
  return (a.askedAtMs ?? 0) - (b.askedAtMs ?? 0)
}

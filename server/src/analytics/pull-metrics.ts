import type { PlatformError } from '@carillon/connectors'
import { describeConnection } from '../connections/describe-connection.ts'
import { findSpeaker } from '../connections/find-speaker.ts'
import { connectorOf, openClient, type Speaker } from '../connections/open-client.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/db.ts'
import { findPublished, type PublishedChannel } from '../posts/find-published.ts'
import { askPlatform, type Told } from './ask-platform.ts'
import type { Ticket } from './errands.ts'
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
type Loaded = { pull: PullRow; speaker: Speaker; isUsable: boolean; posts: Post[] }

/**
 * Asks a connection's platform about the posts whose turn it is and writes down what it tells. Repeatable. Gives `seenAtMs` when the
 * token is not accepted and a new one may help; the pull is then still under way.
 */
export async function pullMetrics(
  ctx: Context,
  ticket: Ticket,
  { isRenewed }: { isRenewed: boolean },
): Promise<{ seenAtMs: number } | null> {
  const startedMs = ctx.nowMs()
  const loaded = await ctx.db.tenant(ticket.workspaceId, (tx) => loadPull(tx, ticket, startedMs))
  if (!loaded) return null
  const { pull, speaker, posts } = loaded
  const connector = connectorOf(ctx, speaker.platform)
  const wantedAtMs = pull.wanted_at?.getTime() ?? null
  const due = posts.filter((post) => isDue(knownOf(post), { nowMs: startedMs, wantedAtMs })).toSorted(byTurn)
  const canAsk = loaded.isUsable && connector.metrics !== undefined
  const told = canAsk ? await ask(ctx, loaded, due.slice(0, askMax)) : { answers: [], stopped: null }
  const { stopped } = told
  const mayRenew = stopped?.kind === 'auth' && !isRenewed && connector.auth.renew !== undefined
  if (stopped && !mayRenew)
    ctx.log.info({ connection: speaker.id, kind: stopped.kind, code: stopped.platformCode }, 'figures were not told')

  const at = new Date(ctx.nowMs())
  await ctx.db.tenant(ticket.workspaceId, async (tx) => {
    if (told.answers.length > 0)
      await saveAnswers(tx, { workspaceId: ticket.workspaceId, platform: speaker.platform, at }, told.answers)
    if (mayRenew) return
    const asked = new Set(told.answers.map(({ channelId }) => channelId))
    const since = posts.map((post) => (asked.has(post.id) ? { ...post, askedAtMs: at.getTime() } : post))
    const end = stopped
      ? endAfter(stopped, pull, at.getTime())
      : endWell(since, { canAsk, isMore: due.length > askMax, nowMs: at.getTime() })
    await settlePull(tx, ticket, pull, end)
  })
  return mayRenew ? { seenAtMs: startedMs } : null
}

async function loadPull(tx: Tx, ticket: Ticket, nowMs: number): Promise<Loaded | null> {
  const { workspaceId, connectionId } = ticket
  const key = { workspaceId, id: connectionId }
  const pull = await findPull(tx, ticket)
  if (!pull) return null
  const speaker = await findSpeaker(tx, key)
  const described = await describeConnection(tx, workspaceId, connectionId)
  if (!speaker || !described) {
    await deletePull(tx, ticket)
    return null
  }
  const since = new Date(nowMs - (pull.wanted_at ? wantedFollowMs : followMs))
  const published = await findPublished(tx, key, { since, limit: followMax })
  const askedTimes = await findAskedTimes(
    tx,
    workspaceId,
    published.map(({ id }) => id),
  )
  return {
    pull,
    speaker,
    isUsable: described.status === 'active' || described.status === 'expiring',
    posts: published.map((post) => ({ ...post, askedAtMs: askedTimes.get(post.id)?.getTime() ?? null })),
  }
}

async function ask(ctx: Context, { pull, speaker }: Loaded, posts: readonly Post[]): Promise<Told> {
  const { connector, client } = openClient(ctx, speaker)
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

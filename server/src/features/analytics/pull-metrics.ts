import { setTimeout as sleep } from 'node:timers/promises'
import { type Figures, PlatformError } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { type ConnectionRow, findConnection } from '../connections/connection.store.ts'
import { connectorOf, readsFigures } from '../connections/connector-of.ts'
import { openClient } from '../connections/open-client.ts'
import { type PublishedChannel, listPublished } from '../posts/reading/finished.store.ts'
import type { PullRef } from './jobs.ts'
import { type ChannelFigures, type FigureRow, findAskedTimes, saveFigures } from './metric.store.ts'
import { backoffAfter, failuresMax, followMs, isDue, nextAskAtMs, nextDayMs, pauseMs, requestedFollowMs } from './pull-times.ts'
import { type PullResult, type PullRow, deletePull, findPull, settlePull } from './pull.store.ts'

type PublishedPost = { id: string; platformPostId: string; publishedAt: Date }
type RequestFigures = (postIds: readonly string[]) => Promise<ReadonlyMap<string, Figures>>

/** `error`: why the platform was not asked about the remaining posts; null if it was asked about all of them. */
type FetchedFigures = { channels: ChannelFigures[]; error: PlatformError | null }

/** How long a pull waits for one response. */
const responseWaitMs = 20_000

/** Requests the figures of posts in batches. If the platform rejects a batch, each of its posts is requested alone. */
export async function fetchFigures(
  request: RequestFigures,
  posts: readonly PublishedPost[],
  batchSize: number,
): Promise<FetchedFigures> {
  const fetched: FetchedFigures = { channels: [], error: null }
  for (let at = 0; at < posts.length && !fetched.error; at += batchSize) {
    const batch = posts.slice(at, at + batchSize)
    try {
      const figures = await withTimeout(request(batch.map(({ platformPostId }) => platformPostId)))
      fetched.channels.push(...batch.map((post) => channelFigures(post, figures.get(post.platformPostId))))
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error.kind !== 'gone' && error.kind !== 'rejected') fetched.error = error
      else if (batch.length === 1) fetched.channels.push(...batch.map((post) => channelFigures(post, undefined)))
      else {
        const single = await fetchFigures(request, batch, 1)
        fetched.channels.push(...single.channels)
        fetched.error = single.error
      }
    }
  }
  return fetched
}

function channelFigures({ id, publishedAt }: PublishedPost, figures: Figures | undefined): ChannelFigures {
  return { channelId: id, publishedAt, figures: figures ? rowOf(figures) : null }
}

function rowOf({ likes, comments, shares, impressions, clicks, saves }: Figures): FigureRow {
  return {
    likes: countOrNull(likes),
    comments: countOrNull(comments),
    shares: countOrNull(shares),
    impressions: countOrNull(impressions),
    clicks: countOrNull(clicks),
    saves: countOrNull(saves),
  }
}

/** A value that is not a count is stored as unknown. */
function countOrNull(figure: number | undefined): number | null {
  return Number.isSafeInteger(figure) && figure !== undefined && figure >= 0 ? figure : null
}

async function withTimeout<T>(response: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const timeout = sleep(responseWaitMs, null, { signal: timer.signal }).then(
    () => {
      throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'The platform takes too long to answer.' })
    },
    () => response,
  )
  try {
    return await Promise.race([response, timeout])
  } finally {
    timer.abort()
  }
}

/** How many posts of a connection are considered, and for how many of them one run requests figures. */
const postsMax = 2000
const runMax = 50
/** After a failure the batches are small, so that a slow platform can answer in time. */
const smallBatchSize = 5
const limitedWaitMs = 15 * 60_000
const limitedWaitMinMs = 60_000

type Post = PublishedChannel & { askedAtMs: number | null }
type LoadedPull = { pull: PullRow; connection: ConnectionRow; posts: Post[] }

/**
 * Requests the figures of the posts that are due from the connection's platform and stores them. It can safely be repeated. Returns
 * `seenAtMs` if the platform rejects the token and a renewed one may help; the pull is then still in progress.
 */
export async function pullMetrics(
  ctx: Context,
  ref: PullRef,
  { isRenewed }: { isRenewed: boolean },
): Promise<{ seenAtMs: number } | null> {
  const startedMs = ctx.nowMs()
  const loaded = await ctx.db.tenant(ref.workspaceId, (tx) => loadPull(tx, ref, startedMs))
  if (!loaded) return null
  const { pull, connection, posts } = loaded
  const connector = connectorOf(ctx, connection.platform)
  const wantedAtMs = pull.wanted_at?.getTime() ?? null
  const due = posts.filter((post) => isDue(timesOf(post), { nowMs: startedMs, wantedAtMs })).toSorted(byAskedAt)
  const isUsable = connection.status === 'active' || connection.status === 'expiring'
  const canFetch = isUsable && readsFigures(ctx, connector)
  const { channels, error } = canFetch ? await fetchDue(ctx, loaded, due.slice(0, runMax)) : nothingFetched
  const mayRenew = error?.kind === 'auth' && !isRenewed && connector.auth.renew !== undefined
  if (error && !mayRenew)
    ctx.log.info({ connection: connection.id, kind: error.kind, code: error.platformCode }, 'the platform did not return figures')

  const at = new Date(ctx.nowMs())
  await ctx.db.tenant(ref.workspaceId, async (tx) => {
    if (channels.length > 0) await saveFigures(tx, { workspaceId: ref.workspaceId, platform: connection.platform, at }, channels)
    if (mayRenew) return
    const askedIds = new Set(channels.map(({ channelId }) => channelId))
    const updated = posts.map((post) => (askedIds.has(post.id) ? { ...post, askedAtMs: at.getTime() } : post))
    const result = error
      ? resultAfterError(error, pull, at.getTime())
      : resultAfterSuccess(updated, { canFetch, hasMore: due.length > runMax, nowMs: at.getTime() })
    await settlePull(tx, ref, pull, result)
  })
  return mayRenew ? { seenAtMs: startedMs } : null
}

async function loadPull(tx: Tx, ref: PullRef, nowMs: number): Promise<LoadedPull | null> {
  const { workspaceId, connectionId } = ref
  const key = { workspaceId, id: connectionId }
  const pull = await findPull(tx, ref)
  if (!pull) return null
  const connection = await findConnection(tx, workspaceId, connectionId)
  if (!connection) {
    await deletePull(tx, ref)
    return null
  }
  const since = new Date(nowMs - (pull.wanted_at ? requestedFollowMs : followMs))
  const published = await listPublished(tx, key, { since, limit: postsMax })
  const askedTimes = await findAskedTimes(
    tx,
    workspaceId,
    published.map(({ id }) => id),
  )
  return {
    pull,
    connection,
    posts: published.map((post) => ({ ...post, askedAtMs: askedTimes.get(post.id)?.getTime() ?? null })),
  }
}

const nothingFetched: FetchedFigures = { channels: [], error: null }

async function fetchDue(ctx: Context, { pull, connection }: LoadedPull, posts: readonly Post[]): Promise<FetchedFigures> {
  const { connector, client } = openClient(ctx, connection)
  const { metrics } = connector
  if (!metrics) return nothingFetched
  return fetchFigures((postIds) => metrics(client, postIds), posts, pull.failures === 0 ? runMax : smallBatchSize)
}

function resultAfterSuccess(
  posts: readonly Post[],
  { canFetch, hasMore, nowMs }: { canFetch: boolean; hasMore: boolean; nowMs: number },
): PullResult {
  const dueTimes = posts.map((post) => nextAskAtMs(timesOf(post))).filter((dueAtMs) => dueAtMs !== null)
  const soonestMs = hasMore ? nowMs + pauseMs : canFetch ? Math.min(...dueTimes) : nowMs + nextDayMs
  return {
    nextAt: hasMore || dueTimes.length > 0 ? new Date(Math.max(soonestMs, nowMs + pauseMs)) : null,
    heldUntil: null,
    failures: 0,
    isRequestDone: !hasMore,
  }
}

/** Decides when to pull again after an error. A rejected token is not tried again before the next day. */
function resultAfterError({ kind, retryAfterMs }: PlatformError, { failures }: PullRow, nowMs: number): PullResult {
  if (kind === 'limited') {
    const heldUntil = new Date(nowMs + Math.max(retryAfterMs ?? limitedWaitMs, limitedWaitMinMs))
    return { nextAt: heldUntil, heldUntil, failures, isRequestDone: false }
  }
  if (kind === 'auth') return { nextAt: new Date(nowMs + nextDayMs), heldUntil: null, failures: 0, isRequestDone: true }
  const waitMs = Math.max(backoffAfter(failures), retryAfterMs ?? 0)
  const failuresNow = Math.min(failures + 1, failuresMax)
  return { nextAt: new Date(nowMs + waitMs), heldUntil: null, failures: failuresNow, isRequestDone: failuresNow >= failuresMax }
}

function timesOf({ publishedAt, askedAtMs }: Post) {
  return { publishedAtMs: publishedAt.getTime(), askedAtMs }
}

/** Posts that were never requested come first, then those with the oldest request. */
function byAskedAt(a: Post, b: Post): number {
  return (a.askedAtMs ?? 0) - (b.askedAtMs ?? 0)
}

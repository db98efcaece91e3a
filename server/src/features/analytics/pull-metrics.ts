import type { PlatformError } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { type ConnectionRow, findConnection } from '../connections/connection.store.ts'
import { connectorOf, readsFigures, tellsFollowers } from '../connections/connector-of.ts'
import { openClient } from '../connections/open-client.ts'
import { type PublishedChannel, listPublished } from '../posts/reading/finished.store.ts'
import { type FetchedFigures, fetchFigures } from './fetch-figures.ts'
import { type FetchedFollowers, fetchFollowers, nextFollowersAtMs } from './fetch-followers.ts'
import { saveFollowers, wasAsked } from './follower.store.ts'
import type { PullRef } from './jobs.ts'
import { findAskedTimes, saveFigures } from './metric.store.ts'
import { backoffAfter, failuresMax, followMs, isDue, nextAskAtMs, nextDayMs, pauseMs, requestedFollowMs } from './pull-times.ts'
import { type PullResult, type PullRow, deletePull, findPull, settlePull } from './pull.store.ts'
import { dayOf } from './resolve-range.ts'

/** How many posts of a connection are considered, and for how many of them one run requests figures. */
const postsMax = 2000
const runMax = 50
/** After a failure the batches are small, so that a slow platform can answer in time. */
const smallBatchSize = 5
const limitedWaitMs = 15 * 60_000
const limitedWaitMinMs = 60_000

type Post = PublishedChannel & { askedAtMs: number | null }
/** `isAsked`: the platform has already answered today how many followers the account has. */
type LoadedPull = { pull: PullRow; connection: ConnectionRow; posts: Post[]; isAsked: boolean }

/**
 * Requests the figures of the posts that are due from the connection's platform and stores them, and once a day the number of followers. It can
 * safely be repeated. Returns `seenAtMs` if the platform rejects the token and a renewed one may help; the pull is then still in progress.
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
  const canCount = isUsable && tellsFollowers(ctx, connection.platform)
  const { channels, error: figuresError } = canFetch ? await fetchDue(ctx, loaded, due.slice(0, runMax)) : nothingFetched
  const canRenew = !isRenewed && connector.auth.renew !== undefined
  const followers = canCount && !loaded.isAsked && !figuresError ? await countFollowers(ctx, connection, !canRenew) : null
  const error = figuresError ?? pressing(followers?.error)
  const mayRenew = error?.kind === 'auth' && canRenew
  if (error && !mayRenew)
    ctx.log.info({ connection: connection.id, kind: error.kind, code: error.platformCode }, 'the platform did not return figures')

  const at = new Date(ctx.nowMs())
  await ctx.db.tenant(ref.workspaceId, async (tx) => {
    if (channels.length > 0) await saveFigures(tx, { workspaceId: ref.workspaceId, platform: connection.platform, at }, channels)
    if (followers?.count !== undefined) await saveFollowers(tx, ref, { day: dayOf(startedMs), followers: followers.count })
    if (mayRenew) return
    const askedIds = new Set(channels.map(({ channelId }) => channelId))
    const updated = posts.map((post) => (askedIds.has(post.id) ? { ...post, askedAtMs: at.getTime() } : post))
    const isAsked = loaded.isAsked || followers?.count !== undefined
    const followersAtMs = canCount ? nextFollowersAtMs(connection.id, { nowMs: startedMs, isAsked }) : null
    const result = error
      ? resultAfterError(error, pull, at.getTime())
      : resultAfterSuccess(updated, { canFetch, hasMore: due.length > runMax, nowMs: at.getTime(), followersAtMs })
    await settlePull(tx, ref, pull, result)
  })
  return mayRenew ? { seenAtMs: startedMs } : null
}

/** What the platform says about the account as a whole. Any other failure to count followers changes nothing for the figures of posts. */
function pressing(error: PlatformError | undefined): PlatformError | null {
  return error?.kind === 'limited' || error?.kind === 'auth' ? error : null
}

function countFollowers(ctx: Context, connection: ConnectionRow, isRenewed: boolean): Promise<FetchedFollowers> {
  const { connector, client } = openClient(ctx, connection)
  return fetchFollowers(connector, client, { isRenewed })
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
    isAsked: await wasAsked(tx, ref, dayOf(nowMs)),
  }
}

const nothingFetched: FetchedFigures = { channels: [], error: null }

async function fetchDue(ctx: Context, { pull, connection }: LoadedPull, posts: readonly Post[]): Promise<FetchedFigures> {
  const { connector, client } = openClient(ctx, connection)
  const { metrics } = connector
  if (!metrics) return nothingFetched
  return fetchFigures((postIds) => metrics(client, postIds), posts, pull.failures === 0 ? runMax : smallBatchSize)
}

type Success = { canFetch: boolean; hasMore: boolean; nowMs: number; followersAtMs: number | null }

function resultAfterSuccess(posts: readonly Post[], { canFetch, hasMore, nowMs, followersAtMs }: Success): PullResult {
  const dueTimes = posts.map((post) => nextAskAtMs(timesOf(post))).filter((dueAtMs) => dueAtMs !== null)
  const figuresAtMs = hasMore
    ? nowMs + pauseMs
    : dueTimes.length === 0
      ? null
      : canFetch
        ? Math.min(...dueTimes)
        : nowMs + nextDayMs
  const times = [figuresAtMs, followersAtMs].filter((atMs) => atMs !== null)
  return {
    nextAt: times.length > 0 ? new Date(Math.max(Math.min(...times), nowMs + pauseMs)) : null,
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

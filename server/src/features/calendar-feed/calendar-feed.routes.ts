import { createHash, randomBytes } from 'node:crypto'
import { type BodyOf, type CalendarEntry, type CalendarFeed, type ReturnsOf, calendarFeed } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { serve } from '../../infra/http/serve.ts'
import { problem } from '../../infra/problem/problem.ts'
import { listConnectionNames } from '../connections/list-connection-names.ts'
import { findCalendar } from '../posts/reading/list-post-page.ts'
import { deleteFeed, findFeed, findFeedBySecret, putFeed } from './calendar-feed.store.ts'
import { type FeedEntry, writeCalendar } from './write-calendar.ts'

const dayMs = 86_400_000
const daysBack = 30
const daysAhead = 180
/** What is not decided yet, and drafts, are for people who are signed in. */
const statuses = 'scheduled,queued,publishing,completed,partial_failure,failed'

export function calendarFeedRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calendarFeed.get, (call) => getFeed(call))
  serve(app, ctx, calendarFeed.create, (call) => createFeed(call, call.body))
  serve(app, ctx, calendarFeed.remove, (call) => removeFeed(call))
}

/** The feed itself. The secret in its address is the only permission, so a wrong one looks like any other page that does not exist. */
export function calendarFileRoutes(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { file: string } }>('/calendar-feeds/:file', async (request, reply) => {
    const { file } = request.params
    const feed = file.endsWith('.ics') && (await findFeedBySecret(ctx.db.system, hashToken(file.slice(0, -'.ics'.length))))
    if (!feed) throw problem('route_not_found')
    const workspaceId = feed.workspace_id
    const entries = await ctx.db.readOnly(workspaceId, (tx) => readEntries(ctx, tx, { workspaceId, texts: feed.texts }))
    const body = writeCalendar(feed.name, entries)
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    // No cache on the way may answer with it: after the address is revoked, the texts are not to be had any more.
    void reply.headers({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      etag,
    })
    return request.headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(body)
  })
}

async function readEntries(
  ctx: Context,
  tx: Tx,
  { workspaceId, texts }: { workspaceId: string; texts: boolean },
): Promise<FeedEntry[]> {
  const day = (days: number) => new Date(ctx.nowMs() + days * dayMs).toISOString()
  const { entries } = await findCalendar(tx, workspaceId, { from: day(-daysBack), to: day(daysAhead), status: statuses })
  const names = await listConnectionNames(tx, workspaceId)
  return entries.map((entry) => ({
    uploadId: entry.uploadId,
    at: entry.at,
    status: entry.status,
    updatedAt: entry.updatedAt,
    summary: summaryOf(entry, names, texts),
    url: `${ctx.config.publicUrl}/posts/${entry.uploadId}`,
  }))
}

function summaryOf(entry: CalendarEntry, names: ReadonlyMap<string, string>, texts: boolean): string {
  const accounts = entry.connections.flatMap((id) => names.get(id) ?? []).join(', ')
  const sign = entry.failed > 0 ? '⚠ ' : ''
  const text = texts ? entry.excerpt.trim() : ''
  return `${sign}${text === '' ? accounts : `${text} (${accounts})`}`
}

const tokenBytes = 32

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

async function getFeed({ tx, principal }: RequestScope): Promise<CalendarFeed | null> {
  const found = await findFeed(tx, principal)
  return found ? { texts: found.texts, createdAt: found.created_at.toISOString() } : null
}

async function createFeed(
  { ctx, tx, principal: { workspaceId, personId }, nowMs }: RequestScope,
  { texts = true }: BodyOf<typeof calendarFeed.create>,
): Promise<Answer<ReturnsOf<typeof calendarFeed.create>>> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const at = new Date(nowMs)
  await putFeed(tx, { workspace_id: workspaceId, person_id: personId, token_hash: hashToken(token), texts, created_at: at })
  const shown = { texts, createdAt: at.toISOString() }
  return new Answer(
    { ...shown, url: `${ctx.config.publicUrl}/calendar-feeds/${token}.ics` },
    { subjectId: personId, withoutSecret: { ...shown, url: '' } },
  )
}

async function removeFeed({ tx, principal }: RequestScope): Promise<Answer<null>> {
  await deleteFeed(tx, principal)
  return new Answer(null, { subjectId: principal.personId })
}

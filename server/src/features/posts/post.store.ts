import { channelTransitions, type ChannelTransition } from '@carillon/core'
import { sql, type Insertable, type RawBuilder, type Selectable, type Updateable } from 'kysely'
import { type Tx, places, runStatement } from '../../infra/db/db.ts'
import type { ChannelTable, PartTable, PostTable } from '../../infra/db/tables.ts'
import { isId, isUuid } from '../../infra/db/ids.ts'
import { mayStart } from './post-status.store.ts'
import type { ChangedChannel } from './update-post-statuses.ts'

export type NewChannel = Pick<Insertable<ChannelTable>, (typeof channelColumns)[number]>
export type { PendingMedia } from '../../infra/db/tables.ts'
export type PostRow = Selectable<PostTable>
export type ChannelRow = Selectable<ChannelTable>
export type PartRow = Selectable<PartTable>
export type PostUpdate = Updateable<PostTable>
export type ChannelUpdate = Updateable<ChannelTable>
export type PostWithChannels = { post: PostRow; channels: ChannelRow[] }
export type PostKey = { workspaceId: string; id: string }

const postColumns = [
  'type',
  'content_format',
  'title',
  'text',
  'first_comment',
  'thread',
  'link_url',
  'ai_generated',
  'platform_options',
  'link_tags',
  'scheduled_at',
  'scheduled_wall',
  'timezone',
  'warnings',
  'created_at',
  'updated_at',
  'workspace_id',
  'id',
  'request_id',
  'status',
  'pending_medias',
  'counted',
  'platforms',
  'external_id',
  'metadata',
] as const

const channelColumns = [
  'workspace_id',
  'id',
  'post_id',
  'position',
  'connection_id',
  'connection_slug',
  'target_name',
  'platform',
  'state',
  'due_at',
  'dispatch_at',
  'needs_stage',
  'warnings',
  'parts',
  'thread_parts',
  'media_count',
  'issues',
  'traceparent',
] as const

/** Cached insert statements, by number of channels. */
const insertStatements = new Map<number, string>()

function buildInsert(channels: number): string {
  const [post, width] = [postColumns.length, channelColumns.length]
  const rows = Array.from({ length: channels }, (_, index) => `(${places(post + 1 + index * width, width)})`)
  // An unfinished draft has no channels.
  if (channels === 0) {
    return `
    insert into post (${postColumns.join(', ')})
    values (${places(1, post)})`
  }
  return `
    with inserted_post as (
      insert into post (${postColumns.join(', ')})
      values (${places(1, post)})
    )
    insert into channel (${channelColumns.join(', ')})
    values ${rows.join(', ')}`
}

type NewPost = Omit<Pick<Insertable<PostTable>, (typeof postColumns)[number]>, 'platforms'>

/** The platforms of a post as they are stored beside it, for lists and totals by platform. */
function platformsOf(channels: readonly Pick<NewChannel, 'platform'>[]): string {
  return [...new Set(channels.map(({ platform }) => platform))].toSorted().join(',')
}

export async function insertPost(tx: Tx, post: NewPost, channels: readonly NewChannel[]): Promise<void> {
  const text = insertStatements.get(channels.length) ?? buildInsert(channels.length)
  insertStatements.set(channels.length, text)
  const row = { ...post, platforms: platformsOf(channels) }
  const values = [
    ...postColumns.map((name) => row[name]),
    ...channels.flatMap((channel) => channelColumns.map((name) => channel[name])),
  ]
  await runStatement(tx, text, values)
}

/** The column to look up: `id` for 24 hexadecimal digits, `request_id` for a UUID, null for anything else. */
export function keyColumn(id: string): 'id' | 'request_id' | null {
  return isId(id) ? 'id' : isUuid(id) ? 'request_id' : null
}

/** The post and its channels, locked until the transaction ends. */
export function findForUpdate(tx: Tx, key: PostKey): Promise<PostWithChannels | undefined> {
  return findPost(tx, key, true)
}

/** The same for reading: nothing waits for it. */
export function findWholePost(tx: Tx, key: PostKey): Promise<PostWithChannels | undefined> {
  return findPost(tx, key, false)
}

async function findPost(tx: Tx, { workspaceId, id }: PostKey, isLocked: boolean): Promise<PostWithChannels | undefined> {
  const column = keyColumn(id)
  if (!column) return undefined
  const post = await tx
    .selectFrom('post')
    .where('workspace_id', '=', workspaceId)
    .where(column, '=', id)
    .selectAll()
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!post) return undefined
  const channels = await tx
    .selectFrom('channel')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', post.id)
    .selectAll()
    .orderBy('position')
    .$if(isLocked, (query) => query.forUpdate())
    .execute()
  return { post, channels }
}

export async function updatePost(tx: Tx, { workspaceId, id }: PostKey, change: PostUpdate): Promise<void> {
  await tx.updateTable('post').where('workspace_id', '=', workspaceId).where('id', '=', id).set(change).execute()
}

export async function replaceChannels(tx: Tx, { workspaceId, id }: PostKey, channels: NewChannel[]): Promise<void> {
  await tx.deleteFrom('channel').where('workspace_id', '=', workspaceId).where('post_id', '=', id).execute()
  if (channels.length > 0) await tx.insertInto('channel').values(channels).execute()
  // Last, because deleting channels sets it to null.
  await updatePost(tx, { workspaceId, id }, { platforms: platformsOf(channels) })
}

/** The transitions that a person causes. */
type MoveTransition = Extract<ChannelTransition, 'schedule' | 'unschedule' | 'retry' | 'resolvePublished' | 'resolveNotPublished'>

type Move = {
  channelIds: readonly string[]
  transition: MoveTransition
  change?: Omit<ChannelUpdate, 'state' | 'generation'>
}

// What an earlier attempt left: its wait, its error, and what was uploaded for it, which the platform may have deleted since. The first
// attempt after a move starts without them.
export const newStart = {
  late_ms: null,
  tries: 0,
  refusals: 0,
  error: null,
  staged: null,
  staged_at: null,
  renew_token: false,
  finished_at: null,
} as const

const resets: Readonly<Record<MoveTransition, ChannelUpdate>> = {
  schedule: newStart,
  unschedule: { ...newStart, due_at: null, dispatch_at: null },
  retry: newStart,
  resolvePublished: {},
  resolveNotPublished: {},
}

/**
 * Moves channels of one post to another state. The post must be locked, and its channels must be in states from which the transition may
 * start; anything else is a bug, and nothing is changed. The higher generation makes jobs that are already under way stale, so they stop.
 */
export async function moveChannels(
  tx: Tx,
  { workspaceId, id }: PostKey,
  { channelIds, transition, change = {} }: Move,
): Promise<void> {
  if (channelIds.length === 0) return
  const { numUpdatedRows } = await tx
    .updateTable('part')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .where('id', 'in', channelIds)
    .where(mayStart(transition, 'state'))
    .set({
      ...resets[transition],
      ...change,
      state: channelTransitions[transition].to,
      prepared: false,
      recover_at: null,
      not_before: null,
      waiting_reason: null,
      generation: sql<number>`generation + 1`,
    })
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== BigInt(channelIds.length))
    throw new Error(`${transition} changed ${numUpdatedRows} of ${channelIds.length} channels of post ${id}`)
}

/**
 * Gives a scheduled post the channels of these rows. One that stays keeps its id and gets a higher generation, so that jobs under way for it
 * stop. The channels must be locked. Returns the ids of the channels that wait now.
 */
export async function changeScheduledChannels(
  tx: Tx,
  { workspaceId, id }: PostKey,
  { before, rows }: { before: readonly ChannelRow[]; rows: readonly NewChannel[] },
): Promise<string[]> {
  const idBySlug = new Map(before.map((channel) => [channel.connection_slug, channel.id]))
  const kept = rows.map((row) => ({ ...row, id: idBySlug.get(row.connection_slug) ?? row.id }))
  const slugs = rows.map((row) => row.connection_slug)
  const staying = new Set(kept.map((row) => row.id))
  // One that was canceled gives its place to a new channel of the same connection, and otherwise stays as it is.
  await tx
    .deleteFrom('channel')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .where('id', 'not in', [...staying])
    .where(({ eb, or }) => or([eb('state', '<>', 'canceled'), eb('connection_slug', 'in', slugs)]))
    .execute()
  const known = new Set(idBySlug.values())
  for (const row of kept.filter((each) => known.has(each.id))) {
    const { workspace_id: _workspace, id: channelId, post_id: _post, state: _state, ...change } = row
    await moveChannels(tx, { workspaceId, id }, { channelIds: [channelId], transition: 'schedule', change })
  }
  const added = kept.filter((each) => !known.has(each.id))
  if (added.length > 0) await tx.insertInto('channel').values(added).execute()
  // Last, because deleting channels sets it to null.
  const all = await tx
    .selectFrom('channel')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .select('platform')
    .execute()
  await updatePost(tx, { workspaceId, id }, { platforms: platformsOf(all) })
  return [...staying]
}

export async function deletePost(tx: Tx, { workspaceId, id }: PostKey): Promise<void> {
  await tx.deleteFrom('post').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

type ConnectionRef = { workspaceId: string; connectionId: string }

/**
 * Locks the posts of a connection's channels in the order in which settling locks them, and returns their ids. Until the transaction ends, no
 * other channel of these posts can finish, so the last one to finish sees all others.
 */
async function lockPostsOf(tx: Tx, { workspaceId, connectionId }: ConnectionRef, which: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id
    from post p
    where p.workspace_id = ${workspaceId}
      and p.id in (
        select c.post_id
        from part c
        where c.workspace_id = ${workspaceId}
          and c.connection_id = ${connectionId}
          and c.finished_at is null
          and ${which}
      )
    order by p.id
    for update`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Cancels the channels of a removed connection that have not been sent. Drafts are not changed. */
export async function cancelChannels(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  error: string,
): Promise<ChangedChannel[]> {
  const postIds = await lockPostsOf(tx, { workspaceId, connectionId }, sql<boolean>`c.state in ('scheduled', 'dispatched')`)
  if (postIds.length === 0) return []
  return tx
    .updateTable('channel')
    .where('workspace_id', '=', workspaceId)
    .where('connection_id', '=', connectionId)
    .where('post_id', '=', sql<string>`any(${postIds})`)
    .where('finished_at', 'is', null)
    .where(mayStart('cancel', 'state'))
    .set({
      state: channelTransitions.cancel.to,
      error,
      finished_at: sql<Date>`now()`,
      recover_at: null,
      not_before: null,
      waiting_reason: null,
      generation: sql<number>`generation + 1`,
    })
    .returning(['workspace_id', 'id', 'post_id', 'state', 'generation', 'connection_id'])
    .execute()
}

/** Makes channels that waited for their connection to be connected again due now, or at their own time if that is still to come. */
export async function wakeWaitingChannels(tx: Tx, workspaceId: string, connectionId: string): Promise<void> {
  const waits = sql<boolean>`c.state = 'scheduled' and c.waiting_reason = 'reconnect'`
  const postIds = await lockPostsOf(tx, { workspaceId, connectionId }, waits)
  if (postIds.length === 0) return
  await sql`
    update part c
    set dispatch_at = greatest(now(), c.due_at),
      not_before = null,
      waiting_reason = null,
      generation = c.generation + 1
    where c.workspace_id = ${workspaceId}
      and c.connection_id = ${connectionId}
      and c.post_id = any(${postIds})
      and c.finished_at is null
      and ${waits}`.execute(tx)
}

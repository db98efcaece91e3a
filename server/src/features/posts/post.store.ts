import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import { places, runStatement } from '../../infra/db/run-statement.ts'
import type { ChannelTable, PostTable } from '../../infra/db/tables.ts'
import { isId, isUuid } from '../../infra/db/ids.ts'
import type { ChangedChannel } from './update-post-statuses.ts'

export type NewChannel = Pick<Insertable<ChannelTable>, (typeof channelColumns)[number]>
export type { PendingMedia } from '../../infra/db/tables.ts'
export type PostRow = Selectable<PostTable>
export type ChannelRow = Selectable<ChannelTable>
export type PostWithChannels = { post: PostRow; channels: ChannelRow[] }
export type PostKey = { workspaceId: string; id: string }

const postColumns = [
  'type',
  'content_format',
  'title',
  'text',
  'first_comment',
  'link_url',
  'platform_options',
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
  'comment_state',
] as const

/** Cached insert statements, by number of channels. */
const insertStatements = new Map<number, string>()

function buildInsert(channels: number): string {
  const [post, width] = [postColumns.length, channelColumns.length]
  const rows = Array.from({ length: channels }, (_, index) => `(${places(post + 1 + index * width, width)})`)
  return `
    with inserted_post as (
      insert into post (${postColumns.join(', ')})
      values (${places(1, post)})
    )
    insert into channel (${channelColumns.join(', ')})
    values ${rows.join(', ')}`
}

type NewPost = Pick<Insertable<PostTable>, (typeof postColumns)[number]>

export async function insertPost(tx: Tx, post: NewPost, channels: readonly NewChannel[]): Promise<void> {
  const text = insertStatements.get(channels.length) ?? buildInsert(channels.length)
  insertStatements.set(channels.length, text)
  const values = [
    ...postColumns.map((name) => post[name]),
    ...channels.flatMap((channel) => channelColumns.map((name) => channel[name])),
  ]
  await runStatement(tx, text, values)
}

/** The column to look up: `id` for 24 hexadecimal digits, `request_id` for a UUID, null for anything else. */
export function keyColumn(id: string): 'id' | 'request_id' | null {
  return isId(id) ? 'id' : isUuid(id) ? 'request_id' : null
}

/** The post and its channels, locked until the transaction ends. */
export async function findForUpdate(tx: Tx, { workspaceId, id }: PostKey): Promise<PostWithChannels | undefined> {
  const column = keyColumn(id)
  if (!column) return undefined
  const post = await tx
    .selectFrom('post')
    .where('workspace_id', '=', workspaceId)
    .where(column, '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
  if (!post) return undefined
  const channels = await tx
    .selectFrom('channel')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', post.id)
    .selectAll()
    .orderBy('position')
    .forUpdate()
    .execute()
  return { post, channels }
}

export async function updatePost(tx: Tx, { workspaceId, id }: PostKey, change: Updateable<PostTable>): Promise<void> {
  await tx.updateTable('post').where('workspace_id', '=', workspaceId).where('id', '=', id).set(change).execute()
}

export async function replaceChannels(tx: Tx, { workspaceId, id }: PostKey, channels: NewChannel[]): Promise<void> {
  await tx.deleteFrom('channel').where('workspace_id', '=', workspaceId).where('post_id', '=', id).execute()
  await tx.insertInto('channel').values(channels).execute()
}

/** Moves channels of one post to another state. The higher generation makes jobs that are already under way stale, so they stop. */
export async function moveChannels(
  tx: Tx,
  { workspaceId, id }: PostKey,
  channelIds: readonly string[],
  change: Updateable<ChannelTable>,
): Promise<void> {
  if (channelIds.length === 0) return
  await tx
    .updateTable('channel')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .where('id', 'in', channelIds)
    .set({ ...change, prepared: false, recover_at: null, generation: sql<number>`generation + 1` })
    .execute()
}

export async function deletePost(tx: Tx, { workspaceId, id }: PostKey): Promise<void> {
  await tx.deleteFrom('post').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Cancels the channels of a removed connection that have not been sent. Drafts are not changed. */
export async function cancelChannels(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  error: string,
): Promise<ChangedChannel[]> {
  return tx
    .updateTable('channel')
    .where('workspace_id', '=', workspaceId)
    .where('connection_id', '=', connectionId)
    .where('finished_at', 'is', null)
    .where('state', 'in', ['scheduled', 'dispatched'])
    .set({
      state: 'canceled',
      error,
      finished_at: sql<Date>`now()`,
      recover_at: null,
      generation: sql<number>`generation + 1`,
    })
    .returning(['workspace_id', 'id', 'post_id', 'state', 'generation', 'comment_state', 'connection_id'])
    .execute()
}

import { sql, type Selectable, type SelectQueryBuilder } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import { runStatement } from '../../../infra/db/run-statement.ts'
import type { ChannelTable, PostTable, Tables } from '../../../infra/db/tables.ts'
import { keyColumn, type PostKey } from '../post.store.ts'

const postColumns = [
  'id',
  'request_id',
  'status',
  'type',
  'content_format',
  'title',
  'text',
  'first_comment',
  'link_url',
  'platform_options',
  'timezone',
  'warnings',
  'pending_medias',
] as const
const postTimes = ['scheduled_at', 'published_at', 'archived_at', 'created_at', 'updated_at'] as const

const channelColumns = [
  'id',
  'platform',
  'connection_id',
  'connection_slug',
  'target_name',
  'state',
  'post_url',
  'platform_post_id',
  'error',
  'warnings',
  'attempts',
  'late_ms',
] as const
const channelTimes = ['published_at'] as const

/** A time may already be in the interface's own form. */
type Told<T> = { [K in keyof T]: T[K] extends Date | null ? T[K] | string : T[K] }

/** What a client may see of a post and its channels, still in the words of the tables. */
export type ShownPost = Told<Pick<Selectable<PostTable>, (typeof postColumns)[number] | (typeof postTimes)[number]>>
export type ShownChannel = Told<Pick<Selectable<ChannelTable>, (typeof channelColumns)[number] | (typeof channelTimes)[number]>>
export type Shown = { post: ShownPost; channels: readonly ShownChannel[] }

// A page has hundreds of times and channels. PostgreSQL writes a time faster than Node reads and writes it, and JSON is taken apart faster
// than rows are.
const told = (name: string) => `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`
const channelsText = `select ${[...channelColumns, ...channelTimes.map(told)].join(', ')} from channel
  where channel.workspace_id = post.workspace_id and channel.post_id = post.id order by position`
const shownText = `${[...postColumns, ...postTimes.map(told)].join(', ')},
  (select coalesce(json_agg(c), '[]') from (${channelsText}) as c) as channels`

type Row = ShownPost & { channels: ShownChannel[] }

/** Each post of a page, newest first. Its channels are looked up only for what the page holds, not for what it skips on the way. */
export async function findShown(tx: Tx, page: SelectQueryBuilder<Tables, 'post', object>): Promise<Shown[]> {
  const posts = page.select(['workspace_id', ...postColumns, ...postTimes])
  const { rows } = await sql<Row>`select ${sql.raw(shownText)} from ${posts} as post order by id desc`.execute(tx)
  return rows.map(readRow)
}

export async function findShownPost(tx: Tx, { workspaceId, id }: PostKey): Promise<Shown | undefined> {
  const column = keyColumn(id)
  if (!column) return undefined
  const text = `select ${shownText} from post where workspace_id = $1 and ${column} = $2`
  const [row] = await runStatement<Row>(tx, text, [workspaceId, id])
  return row && readRow(row)
}

function readRow(row: Row): Shown {
  return { post: row, channels: row.channels }
}

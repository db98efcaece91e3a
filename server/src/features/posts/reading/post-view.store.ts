import { sql, type Expression, type RawBuilder, type Selectable } from 'kysely'
import { type Tx, runStatement } from '../../../infra/db/db.ts'
import type { ChannelTable, PartTable, PostTable } from '../../../infra/db/tables.ts'
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
  'thread',
  'link_url',
  'ai_generated',
  'platform_options',
  'link_tags',
  'timezone',
  'warnings',
  'pending_medias',
  'external_id',
  'metadata',
  'approval',
  'approval_revision',
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
  'waiting_reason',
  'parts',
  'thread_parts',
  'issues',
] as const
const channelTimes = ['published_at', 'dispatch_at', 'finish_by'] as const

/** Times may already be ISO 8601 texts. */
type WithTextTimes<T> = { [K in keyof T]: T[K] extends Date | null ? T[K] | string : T[K] }

/** The columns of a post and its channels that the API shows. */
export type PostViewRow = WithTextTimes<
  Pick<Selectable<PostTable>, (typeof postColumns)[number] | (typeof postTimes)[number]>
> & { labels: string[] | null; series?: { id: string; date: string } | null }
export type ChannelViewRow = WithTextTimes<
  Pick<Selectable<ChannelTable>, (typeof channelColumns)[number] | (typeof channelTimes)[number]>
> & {
  /** The parts after its post that are to be sent or were, in their order. */
  further: readonly FurtherPart[]
}
/** A further post of a thread or a first comment. */
export type FurtherPart = WithTextTimes<
  Pick<
    Selectable<PartTable>,
    | 'number'
    | 'state'
    | 'post_url'
    | 'platform_post_id'
    | 'published_at'
    | 'error'
    | 'warnings'
    | 'waiting_reason'
    | 'dispatch_at'
    | 'finish_by'
  >
>
export type PostView = { post: PostViewRow; channels: readonly ChannelViewRow[] }

// A page has hundreds of times and channels. Formatting a time in PostgreSQL is faster than parsing and formatting it in Node, and parsing
// JSON is faster than parsing rows.
const isoText = (name: string) => `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`
export const furtherText = `
  case when parts = 1 then '[]' else (
    select coalesce(json_agg(f order by f.number), '[]')
    from (
      select number, state, post_url, platform_post_id, error, warnings, waiting_reason, ${channelTimes.map(isoText).join(', ')}
      from part
      where part.workspace_id = channel.workspace_id and part.post_id = channel.post_id and part.channel_id = channel.id
    ) f
  ) end as further`
const channelsText = `select ${[...channelColumns, ...channelTimes.map(isoText), furtherText].join(', ')} 
  from channel
  where channel.workspace_id = post.workspace_id and channel.post_id = post.id
  order by position`
/** The labels of a post in the order of their ids; null if it has none. */
export const labelsText = `(
    select json_agg(label_id order by label_id)
    from post_label
    where post_label.workspace_id = post.workspace_id and post_label.post_id = post.id
  ) as labels`
/** The series that made the post, and the date that it is for. */
const seriesText = `(
    select json_build_object('id', series_id, 'date', date)
    from series_date
    where series_date.workspace_id = post.workspace_id and series_date.post_id = post.id
  ) as series`
const viewText = `${[...postColumns, ...postTimes.map(isoText)].join(', ')},
  ${labelsText},
  ${seriesText},
  (select coalesce(json_agg(c), '[]') from (${channelsText}) as c) as channels`

/** The columns that a page of posts must have. */
export const pageColumns = ['workspace_id', ...postColumns, ...postTimes] as const

type Row = PostViewRow & { channels: ChannelViewRow[] }

/** The posts of a page. Channels are looked up only for the posts of the page, not for those that the offset skips. */
export async function findPostViews(tx: Tx, page: Expression<unknown>, order: RawBuilder<unknown>): Promise<PostView[]> {
  const { rows } = await sql<Row>`
    select ${sql.raw(viewText)}
    from ${page} as post
    order by ${order}`.execute(tx)
  return rows.map(readRow)
}

export async function findPostView(tx: Tx, { workspaceId, id }: PostKey): Promise<PostView | undefined> {
  const column = keyColumn(id)
  if (!column) return undefined
  const text = `
    select ${viewText}
    from post
    where workspace_id = $1 and ${column} = $2`
  const [row] = await runStatement<Row>(tx, text, [workspaceId, id])
  return row && readRow(row)
}

function readRow(row: Row): PostView {
  return { post: row, channels: row.channels }
}

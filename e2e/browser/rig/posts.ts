import type { Connection, Post } from '@carillon/sdk'
import { queryDatabase } from '../../support/query-database.ts'
import type { Desk } from './desk.ts'
import { post } from './people.ts'

const zone = 'Europe/Berlin'

/** A day of the next month, `2027-03-12`, so that it is in the future and the whole month is. */
export function dayOfNextMonth(day: number): string {
  const now = new Date()
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, day))
  return first.toISOString().slice(0, 10)
}

export async function readApi<T>({ context }: Pick<Desk, 'context'>, path: string, workspaceId: string): Promise<T> {
  const response = await context.request.get(`/api${path}`, { headers: { 'x-workspace-id': workspaceId } })
  if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`)
  return ((await response.json()) as { data: T }).data
}

function readConnections(desk: Pick<Desk, 'context'>, workspaceId: string): Promise<Connection[]> {
  return readApi<Connection[]>(desk, `/workspaces/${workspaceId}/connections`, workspaceId)
}

type NewPost = {
  workspaceId: string
  text: string
  platform?: string
  /** Instead of one platform. */
  platforms?: readonly string[]
  wall?: string
  saveDraft?: true
}

/** Creates a post through the API, with the accounts of these platforms. Without a time it is published at once. */
export async function createPost(
  desk: Pick<Desk, 'context'>,
  { workspaceId, text, platform = 'mastodon', platforms = [platform], wall, saveDraft }: NewPost,
) {
  const connections = (await readConnections(desk, workspaceId)).filter((each) => platforms.includes(each.platform))
  const body = {
    connections: connections.map(({ slug }) => slug),
    text,
    ...(wall !== undefined && { scheduledAt: wall, timezone: zone }),
    ...(saveDraft && { saveDraft }),
    async: true,
  }
  const { data } = await post(desk.context, '/api/content/text', body, workspaceId)
  const answer = data as { requestId?: string; draftId?: string }
  if (answer.draftId !== undefined) return answer.draftId
  const found = await readApi<Post>(desk, `/content/status?requestId=${String(answer.requestId)}`, workspaceId)
  return found.uploadId
}

/** Many scheduled posts, evenly over a month, straight into the database. */
export async function insertPosts({ context }: Pick<Desk, 'context'>, workspaceId: string, count: number): Promise<void> {
  const [connection] = await readConnections({ context }, workspaceId)
  if (!connection) throw new Error('there is no account')
  await queryDatabase(
    `with added as (
      insert into post (workspace_id, id, request_id, status, type, text, platform_options, scheduled_at, timezone, warnings, created_at, updated_at)
      select $1, substr(md5($1 || n), 1, 24), gen_random_uuid(), 'scheduled', 'text', 'Bell ' || n || ' rings for the evening service', '{}',
        $2::timestamptz + make_interval(secs => n * 27 * 86400.0 / $3), $4, '[]', now(), now()
      from generate_series(0, $3::int - 1) as n
      returning workspace_id, id
    )
    insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, needs_stage, warnings)
    select workspace_id, id, id, 0, $5, $6, $7, $8, 'scheduled', false, '[]'
    from added`,
    [
      workspaceId,
      `${dayOfNextMonth(1)}T06:00:00Z`,
      count,
      zone,
      connection.id,
      connection.slug,
      connection.handle,
      connection.platform,
    ],
  )
}

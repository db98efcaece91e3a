import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { ConnectedAccount, ConnectedByPlatform } from './connect-accounts.ts'
import { platforms } from './simulator.ts'

type Seed = {
  workspaceId: string
  connected: ConnectedByPlatform
  posts: number
  dueAtMs: (post: number) => number
  label: string
}

const postsPerStatement = 500

/** Inserts scheduled posts as the API would, with one channel on each platform. This is much faster than requests to the API. */
export async function seedPosts(db: pg.Pool, { workspaceId, connected, posts, dueAtMs, label }: Seed): Promise<void> {
  const nextId = createIds()
  for (let from = 0; from < posts; from += postsPerStatement) {
    const rows = Array.from({ length: Math.min(postsPerStatement, posts - from) }, (_, at) => {
      const n = from + at
      const due = new Date(dueAtMs(n))
      const channels = platforms.flatMap((platform) => {
        const list = connected[platform]
        const target = list[n % list.length]
        return target ? [{ id: nextId(), platform, target }] : []
      })
      return { id: nextId(), requestId: randomUUID(), text: `${label} ${n}`, due, channels }
    })
    await insertPosts(db, workspaceId, rows)
  }
  // PostgreSQL plans by its statistics. It makes them itself after a minute, and an installation that has been running has them.
  await db.query('analyze post, part')
}

type Row = {
  id: string
  requestId: string
  text: string
  due: Date
  channels: { id: string; platform: string; target: ConnectedAccount }[]
}

async function insertPosts(db: pg.Pool, workspaceId: string, rows: readonly Row[]): Promise<void> {
  const client = await db.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into post (workspace_id, id, request_id, status, type, text, platform_options, platforms, scheduled_at, warnings, created_at,
         updated_at)
       select $1, id, request_id, 'scheduled', 'text', text, '{}', platforms, due, '[]', now(), now()
       from unnest($2::text[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[]) as t (id, request_id, text, platforms, due)`,
      [
        workspaceId,
        rows.map(({ id }) => id),
        rows.map(({ requestId }) => requestId),
        rows.map(({ text }) => text),
        rows.map(({ channels }) => [...new Set(channels.map(({ platform }) => platform))].toSorted().join(',')),
        rows.map(({ due }) => due),
      ],
    )
    const channels = rows.flatMap((post) => post.channels.map((channel, position) => ({ ...channel, post, position })))
    await client.query(
      `insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at,
         dispatch_at, needs_stage, warnings)
       select $1, id, post_id, position, connection_id, slug, name, platform, 'scheduled', due, due, platform = 'threads', '[]'
       from unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
         as t (id, post_id, position, connection_id, slug, name, platform, due)`,
      [
        workspaceId,
        channels.map(({ id }) => id),
        channels.map(({ post }) => post.id),
        channels.map(({ position }) => position),
        channels.map(({ target }) => target.id),
        channels.map(({ target }) => target.slug),
        channels.map(({ target }) => target.account.handle),
        channels.map(({ platform }) => platform),
        channels.map(({ post }) => post.due),
      ],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** Ids in the layout that the server uses: seconds, random part, counter. */
function createIds(): () => string {
  const randomPart = randomBytes(5).toString('hex')
  let counter = 0
  return () => {
    counter++
    const seconds = Math.floor(Date.now() / 1000)
    return `${seconds.toString(16).padStart(8, '0')}${randomPart}${counter.toString(16).padStart(6, '0')}`
  }
}

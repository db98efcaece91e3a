import type pg from 'pg'

/** One kind of read: what is asked for in turn, and whether its time is held against the goals. */
export type Reading = { name: string; paths: string[]; judged: boolean }

const spread = 50

/** What is read of a workspace with that many posts. Single posts are taken from all over the list, so that not all of them are at hand. */
export async function planReadings(db: pg.Pool, workspaceId: string, posts: number): Promise<Reading[]> {
  const { rows } = await db.query<{ id: string; request_id: string }>(
    `select id, request_id from (
       select id, request_id, row_number() over (order by id desc) as at from post where workspace_id = $1) as numbered
     where at % $2 = 0`,
    [workspaceId, Math.floor(posts / spread)],
  )
  const middle = rows[Math.floor(rows.length / 2)]?.id ?? ''
  const list = (query: string) => [`/content?limit=100${query}`]
  return [
    { name: 'first page', paths: list(''), judged: true },
    { name: 'status', paths: rows.map((row) => `/content/status?requestId=${row.request_id}`), judged: true },
    { name: 'one post', paths: rows.map((row) => `/content/${row.id}`), judged: false },
    { name: 'page in the middle, by cursor', paths: list(`&cursor=${middle}`), judged: false },
    { name: 'page in the middle, by number', paths: list(`&page=${Math.ceil(posts / 200)}`), judged: false },
    { name: 'by status', paths: list('&status=failed'), judged: false },
    { name: 'by platform', paths: list('&platform=mastodon'), judged: false },
    { name: 'by day', paths: list(`&from=${daysAgo(2)}&to=${daysAgo(1)}`), judged: false },
    { name: 'by words', paths: list('&search=carillonneur'), judged: false },
    { name: 'a year of analytics', paths: [`/analytics?from=${daysAgo(365)}&granularity=month`], judged: false },
  ]
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

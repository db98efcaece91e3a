import type pg from 'pg'

/** One kind of read: the paths that are requested in turn, and whether its time has a goal. */
export type ReadCase = { name: string; paths: string[]; isJudged: boolean }

const spread = 50

/** The reads of a workspace with that many posts. Single posts are spread over the whole list, so that not all of them are cached. */
export async function planReadCases(db: pg.Pool, workspaceId: string, posts: number): Promise<ReadCase[]> {
  const { rows } = await db.query<{ id: string; request_id: string }>(
    `select id, request_id from (
       select id, request_id, row_number() over (order by id desc) as at from post where workspace_id = $1) as numbered
     where at % $2 = 0`,
    [workspaceId, Math.floor(posts / spread)],
  )
  const middle = rows[Math.floor(rows.length / 2)]?.id ?? ''
  const list = (query: string) => [`/content?limit=100${query}`]
  return [
    { name: 'first page', paths: list(''), isJudged: true },
    { name: 'status', paths: rows.map((row) => `/content/status?requestId=${row.request_id}`), isJudged: true },
    { name: 'one post', paths: rows.map((row) => `/content/${row.id}`), isJudged: false },
    { name: 'page in the middle, by cursor', paths: list(`&cursor=${middle}`), isJudged: false },
    { name: 'page in the middle, by number', paths: list(`&page=${Math.ceil(posts / 200)}`), isJudged: false },
    { name: 'by status', paths: list('&status=failed'), isJudged: false },
    { name: 'by platform', paths: list('&platform=mastodon'), isJudged: false },
    { name: 'by day', paths: list(`&from=${daysAgo(2)}&to=${daysAgo(1)}`), isJudged: false },
    { name: 'by words', paths: list('&search=carillonneur'), isJudged: false },
    { name: 'a year of analytics', paths: [`/analytics?from=${daysAgo(365)}&granularity=month`], isJudged: false },
  ]
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

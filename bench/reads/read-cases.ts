import type pg from 'pg'

/** One kind of read: the paths that are requested in turn. Its time has a goal if `growthMax` says how much it may grow with the posts. */
export type ReadCase = { name: string; paths: string[]; growthMax: number | null }

const spread = 50
const strictGrowth = 1.2
const growth = 1.5

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
  const statusPaths = rows.map((row) => `/content/status?requestId=${row.request_id}`)
  return [
    { name: 'first page', paths: list(''), growthMax: strictGrowth },
    { name: 'status', paths: statusPaths, growthMax: strictGrowth },
    { name: 'calendar', paths: [`/content/calendar?from=${daysAgo(1)}&to=${daysAgo(-1)}`], growthMax: growth },
    { name: 'by platform', paths: list('&platform=mastodon'), growthMax: growth },
    { name: 'by day', paths: list(`&from=${daysAgo(2)}&to=${daysAgo(1)}`), growthMax: growth },
    { name: 'by words', paths: list('&search=campanile'), growthMax: growth },
    { name: 'count by status', paths: ['/content?limit=1&status=completed,failed'], growthMax: growth },
    { name: 'count by platform', paths: ['/content?limit=1&platform=mastodon,bluesky'], growthMax: growth },
    { name: 'count of troubles', paths: [`/workspaces/${workspaceId}/attention`], growthMax: growth },
    { name: 'by status', paths: list('&status=failed'), growthMax: null },
    { name: 'one post', paths: rows.map((row) => `/content/${row.id}`), growthMax: null },
    { name: 'page in the middle, by cursor', paths: list(`&cursor=${middle}`), growthMax: null },
    { name: 'page in the middle, by number', paths: list(`&page=${Math.ceil(posts / 200)}`), growthMax: null },
    { name: 'by a word in one post of 5,000', paths: list('&search=carillonneur'), growthMax: null },
    { name: 'by a word in every post', paths: list('&search=bells'), growthMax: null },
    { name: 'a year of analytics', paths: [`/analytics?from=${daysAgo(365)}&granularity=month`], growthMax: null },
  ]
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

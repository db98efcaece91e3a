import { beforeAll, describe, expect, test } from 'vitest'
import { call, callData } from '../support/call.ts'
import { queryDatabase } from '../support/query-database.ts'
import type { CreatedPost } from '../support/posts.ts'
import { connectAccountsTo } from '../support/server-env.ts'
import { callSimulator, uniqueText } from '../test-stack.ts'

type Entry = { platform: string; status: string; collectedAt: string | null; engagement: Record<string, number> }
type Figures = Record<string, number>

const onPlatforms = ['bluesky', 'mastodon', 'threads', 'x']
const none = { likes: 0, comments: 0, shares: 0, impressions: 0, clicks: 0, saves: 0 }
const first = { likes: 7, comments: 3, shares: 2, impressions: 900, clicks: 40, saves: 5 }
const grown = { likes: 1007, comments: 4, shares: 2, impressions: 123_456, clicks: 41, saves: 6 }
/** The figures that each platform's API provides. */
const provided: Record<string, string[]> = {
  bluesky: ['likes', 'comments', 'shares', 'saves'],
  mastodon: ['likes', 'comments', 'shares'],
  threads: ['likes', 'comments', 'shares', 'impressions'],
  x: ['likes', 'comments', 'shares', 'impressions', 'clicks', 'saves'],
}
const knownOf = (platform: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([name]) => provided[platform]?.includes(name)))

/** Guarantee: figures equal those of the platforms, also after they grow, and a figure that a platform does not provide is not a zero. */
describe('the figures of a post', () => {
  const text = uniqueText('watched')
  let workspace = ''
  let uploadId = ''
  const entries = async () => (await callData<{ platforms: Entry[] }>(`GET /analytics/post/${uploadId}`, { workspace })).platforms
  const setPlatformFigures = (figures: Figures) =>
    Promise.all(onPlatforms.map((platform) => callSimulator('POST', 'figures', { platform, text, ...figures })))
  const sync = () => callData<{ enqueued: number }>('POST /analytics/sync', { workspace })

  beforeAll(async () => {
    const { id } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Watched' } })
    workspace = id
    // This zone is fourteen hours ahead of UTC, so a day in the workspace's own zone would mostly be the next UTC day.
    await callData(`PATCH /workspaces/${id}`, { body: { timezone: 'Pacific/Kiritimati' } })
    const connections = (await connectAccountsTo(id, uniqueText('watched').replace(' ', '-'), onPlatforms)).map(
      ({ slug }) => slug,
    )
    uploadId = (await callData<CreatedPost>('POST /content/text', { workspace, body: { connections, text } })).uploadId
  })

  test('before the first sync there are none, and collectedAt is null', async () => {
    await expect
      .poll(async () => (await entries()).map(({ status }) => status), { timeout: 30_000 })
      .toEqual(Array(4).fill('success'))
    expect((await entries()).map(({ collectedAt, engagement }) => ({ collectedAt, engagement }))).toEqual(
      onPlatforms.map(() => ({ collectedAt: null, engagement: none })),
    )
  })

  test.each([
    ['appear', first],
    ['grow', grown],
  ])('they %s when those of the platforms do', async (_how, figures) => {
    await setPlatformFigures(figures)
    const requestedAtMs = Date.now()
    expect((await sync()).enqueued).toBe(4)
    await expect
      .poll(async () => (await entries()).map(({ platform, engagement }) => ({ platform, engagement })), { timeout: 40_000 })
      .toEqual(onPlatforms.map((platform) => ({ platform, engagement: { ...none, ...knownOf(platform, figures) } })))
    for (const { collectedAt } of await entries()) expect(Date.parse(collectedAt ?? '')).toBeGreaterThanOrEqual(requestedAtMs)
    const { summary } = await callData<{ summary: Figures }>('GET /analytics', { workspace })
    expect(summary).toMatchObject({ totalLikes: figures.likes * 4, totalImpressions: figures.impressions * 2 })
  })

  test('the export has one line for each channel and UTC day, with empty cells for unknown figures', async () => {
    const rows = (await call('GET /analytics/export', { workspace })).text.trim().split('\r\n')
    const [head = [], ...lines] = rows.map((line) => line.split(','))
    const cells = lines.map((line) => Object.fromEntries(head.map((name, n) => [name, line[n]])))
    const today = new Date().toISOString().slice(0, 10)
    expect(cells).toHaveLength(4)
    for (const { day, platform = '', ...line } of cells) {
      const expected = Object.entries(grown).map(([name, value]) => [
        name,
        provided[platform]?.includes(name) ? String(value) : '',
      ])
      expect({ day, ...line }).toMatchObject({ day: today, ...Object.fromEntries(expected) })
    }
    const stored = await queryDatabase<Record<string, unknown>>(
      `select platform, impressions, saves, clicks from channel_metric where workspace_id = $1 order by platform`,
      [workspace],
    )
    expect(stored).toMatchObject([
      { platform: 'bluesky', impressions: null, saves: String(grown.saves), clicks: null },
      { platform: 'mastodon', impressions: null, saves: null, clicks: null },
      { platform: 'threads', impressions: String(grown.impressions), saves: null, clicks: null },
      { platform: 'x', impressions: String(grown.impressions) },
    ])
  })
})

import { expect, test } from 'vitest'
import { callData } from '../support/call.ts'
import { connectAccountsTo } from '../support/server-env.ts'
import { uniqueText } from '../test-stack.ts'

type Followers = {
  platform: string
  reported: boolean
  days: { date: string; followers: number | null }[]
  first: number | null
  last: number | null
  change: number | null
}

const dayMs = 86_400_000
const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)

/** Guarantee: an account that has published nothing has one number for today, and no number is made up for another day or another platform. */
test('followers are counted from the day on which an account is connected', { timeout: 180_000 }, async () => {
  const { id: workspace } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Followed' } })
  await callData(`PATCH /workspaces/${workspace}`, { body: { timezone: 'Pacific/Kiritimati' } })
  const connections = await connectAccountsTo(workspace, uniqueText('followed').replace(' ', '-'), [
    'bluesky',
    'mastodon',
    'threads',
    'x',
  ])
  // The numbers of the simulated platforms are never small.
  const read = (query: string) => callData<Followers[]>(`GET /analytics/followers?${query}`, { workspace })
  await expect
    .poll(async () => (await read('')).map(({ platform, last }) => [platform, (last ?? 0) >= 10_000]).toSorted(), {
      timeout: 150_000,
    })
    .toEqual([
      ['bluesky', true],
      ['mastodon', true],
      ['threads', true],
      ['x', false],
    ])

  const today = dayOf(Date.now())
  const found = await read(`from=${dayOf(Date.now() - 2 * dayMs)}&to=${today}`)
  const silent = { reported: false, days: [], first: null, last: null, change: null }
  expect(found.filter(({ platform }) => platform === 'x')).toMatchObject([silent])
  for (const { reported, days, first, last, change } of found.filter(({ platform }) => platform !== 'x')) {
    expect(days).toHaveLength(3)
    expect(days.filter(({ followers }) => followers !== null)).toEqual([{ date: expect.any(String), followers: last }])
    expect([reported, first, change]).toEqual([true, last, null])
  }

  const [one] = connections
  expect(await read(`connections=${one?.slug},nobody`)).toHaveLength(1)
})

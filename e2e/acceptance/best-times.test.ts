import { expect, test } from 'vitest'
import { callData } from '../support/call.ts'
import { insertPastPosts } from '../support/database/insert-past-posts.ts'
import { connectAccountsTo } from '../support/server-env.ts'
import { carillon, otherTenant, uniqueText } from '../test-stack.ts'

const zone = 'America/New_York'

async function openWorkspace(): Promise<{ workspaceId: string; slug: string }> {
  const { id } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Timed' } })
  await callData(`PATCH /workspaces/${id}`, { body: { timezone: zone } })
  const [account] = await connectAccountsTo(id, uniqueText('timed').replace(' ', '-'), ['mastodon'])
  return { workspaceId: id, slug: account?.slug ?? '' }
}

/** Guarantee: the hours are those of the workspace, each says how certain it is, and too few posts recommend nothing. */
test('the best times come from the own posts of the workspace', async () => {
  const { workspaceId, slug } = await openWorkspace()
  const read = (query: { connection?: string; timezone?: string } = {}) => carillon.analytics.bestTimes(query, { workspaceId })
  const common = { timezone: zone, postsNeeded: 20, isEnough: false, best: [] }
  expect(await read()).toEqual({ ...common, posts: 0, leftOut: 0, hours: [] })

  await insertPastPosts(workspaceId, zone, [
    { weekday: 1, time: '08:10', weeks: 8, engagement: 10 },
    { weekday: 7, time: '23:30', weeks: 4, engagement: 2 },
    { weekday: 3, time: '12:00', weeks: 3, engagement: null },
  ])
  const monday = { day: 'monday', hour: 8, n: 8, score: 1, certainty: 'some' }
  const sunday = { day: 'sunday', hour: 23, n: 4, score: 0.64, certainty: 'few' }
  expect(await read()).toEqual({ ...common, posts: 12, leftOut: 3, hours: [monday, sunday] })

  await insertPastPosts(workspaceId, zone, [{ weekday: 2, time: '19:45', weeks: 10, engagement: 22 }])
  // The median of the 22 posts is 10: (5 + 10 × 2.2) ÷ 15.
  const found = await read()
  expect(found).toMatchObject({
    posts: 22,
    isEnough: true,
    best: [{ day: 'tuesday', hour: 19, n: 10, score: 1.8, certainty: 'good' }],
  })
  expect(await read({ connection: slug })).toEqual(found)
  expect((await read({ timezone: 'Asia/Tokyo' })).best[0]?.day).toBe('wednesday')
  await expect(read({ timezone: 'Mars/Olympus' })).rejects.toMatchObject({ status: 422, code: 'request_invalid' })
  await expect(read({ connection: 'mastodon-nobody' })).rejects.toMatchObject({ status: 422, code: 'connection_unknown' })
})

/** Guarantee: the posts and connections of another workspace are neither counted nor named. */
test('another workspace does not see them', async () => {
  const { workspaceId, slug } = await openWorkspace()
  await insertPastPosts(workspaceId, zone, [{ weekday: 1, time: '08:10', weeks: 22, engagement: 7 }])
  expect((await otherTenant.analytics.bestTimes()).hours.filter(({ n }) => n >= 22)).toEqual([])
  await expect(otherTenant.analytics.bestTimes({ connection: slug })).rejects.toMatchObject({ status: 422 })
  await expect(otherTenant.analytics.bestTimes({}, { workspaceId })).rejects.toMatchObject({ status: 404 })
})

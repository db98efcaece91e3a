import { expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { Browser, newAddress } from '../../support/browser.ts'
import { call } from '../../support/call.ts'
import { inviteAndAccept } from '../../support/invite-and-accept.ts'
import { bluesky, carillon, testStack, uniqueText } from '../../test-stack.ts'

const dayMs = 86_400_000
const day = (add: number) => new Date(Date.now() + add * dayMs).toISOString().slice(0, 10)
const rule = (more: object = {}) => ({
  every: 1,
  unit: 'day' as const,
  time: '09:00',
  timezone: 'Europe/Berlin',
  from: day(2),
  ...more,
})

async function makeSeries(more: object = {}) {
  const content = { type: 'text' as const, connections: [bluesky], text: uniqueText('The bells ring') }
  return carillon.series.create({ name: uniqueText('Bells'), ...rule(), count: 5, content, ...more })
}
const postsOf = async (series: string) => (await carillon.content.list({ series, sort: 'scheduledAt' })).data

row('D 24 series', async () => {
  const { dates, total } = await carillon.series.preview({ ...rule(), count: 5 })
  expect([dates.map(({ date }) => date), total]).toEqual([[2, 3, 4, 5, 6].map(day), 5])
  const series = await makeSeries()
  expect(series.occurrences.map(({ state }) => state)).toEqual(['made', 'made', 'scheduled', 'scheduled', 'scheduled'])
  const posts = await postsOf(series.id)
  expect(posts.map(({ status, seriesId, occurrence, scheduledAt }) => [status, seriesId, occurrence, scheduledAt])).toEqual(
    dates.slice(0, 2).map(({ date, at }) => ['scheduled', series.id, date, at]),
  )
  const { entries } = await carillon.content.calendar({ from: day(2), to: day(3) })
  expect(entries.filter(({ seriesId }) => seriesId === series.id)).toHaveLength(2)
  await carillon.series.remove(series.id, { posts: 'remove' })
  expect((await call(`GET /content/${posts[0]?.uploadId}`)).status).toBe(404)
})

row('D 24 change', async () => {
  const series = await makeSeries()
  const [first] = await postsOf(series.id)
  await carillon.content.update(first?.uploadId ?? '', { text: 'Only today.', keepSchedule: true })
  const content = { ...series.content, text: uniqueText('Other bells') }
  await carillon.series.update(series.id, { content, apply: 'unedited' })
  expect((await postsOf(series.id)).map(({ text }) => text)).toEqual(['Only today.', content.text])
  const skipped = await carillon.series.skip(series.id, { date: day(3) })
  expect(skipped.occurrences.find(({ date }) => date === day(3))?.state).toBe('skipped')
  // A worker makes the post of the date after those that are posts now.
  await expect
    .poll(async () => (await postsOf(series.id)).map(({ occurrence }) => occurrence), { timeout: 30_000 })
    .toEqual([day(2), day(4)])
  expect((await carillon.series.update(series.id, { state: 'paused' })).next).toBeNull()
  expect((await carillon.content.get(first?.uploadId ?? '')).status).toBe('draft')
  expect((await carillon.series.update(series.id, { state: 'active' })).state).toBe('active')
  await carillon.series.update(series.id, { state: 'ended', posts: 'remove' })
  const late = await call(`PATCH /series/${series.id}`, { body: { name: 'x' } })
  expect([late.status, late.error.code]).toEqual([409, 'series_ended'])
  await carillon.series.remove(series.id)
  await carillon.content.remove(first?.uploadId ?? '')
})

row('D 24 rights', async () => {
  const series = await makeSeries()
  const workspace = testStack.workspaceId
  const [email, viewer] = [newAddress('viewer'), new Browser()]
  await viewer.signIn(email)
  await inviteAndAccept(workspace, email, 'viewer')
  const body = { name: 'x', ...rule(), content: series.content }
  const answers: [string, object | undefined, number][] = [
    [`GET /api/series/${series.id}`, undefined, 200],
    ['POST /api/series/preview', rule(), 200],
    ['POST /api/series', body, 403],
    [`PATCH /api/series/${series.id}`, { state: 'paused' }, 403],
    [`POST /api/series/${series.id}/skip`, { date: day(2) }, 403],
    [`DELETE /api/series/${series.id}`, undefined, 403],
  ]
  for (const [request, sent, status] of answers)
    expect([request, (await viewer.open(request, { workspace, ...(sent && { body: sent }) })).status]).toEqual([request, status])
  const stranger = new Browser()
  await stranger.signIn(newAddress('stranger'))
  expect((await stranger.open(`GET /api/series/${series.id}`, { workspace })).status).toBeGreaterThanOrEqual(403)
  expect(await postsOf(series.id)).toHaveLength(2)
  await carillon.series.remove(series.id, { posts: 'remove' })
})

import type { Label } from '@carillon/sdk'
import { afterAll, beforeAll, expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { call } from '../../support/call.ts'
import { createDraft, createScheduled } from '../../support/posts.ts'
import { bluesky, carillon, uniqueText } from '../../test-stack.ts'

let campaign: Label
let label: Label

beforeAll(async () => {
  const [name, days] = [uniqueText('Summer'), { startsOn: '2027-06-01', endsOn: '2027-08-31' }]
  campaign = await carillon.labels.create({ name, color: 'teal', kind: 'campaign', ...days })
  label = await carillon.labels.create({ name: uniqueText('Bells'), color: 'red' })
})

afterAll(async () => {
  await carillon.labels.remove(campaign.id)
  await carillon.labels.remove(label.id)
})

const labelsOf = async (id: string) => (await carillon.content.get(id)).labels
const remove = (ids: readonly string[]) => carillon.content.bulkDelete({ ids: [...ids] })

row('D 18 label', async () => {
  expect(campaign).toMatchObject({ kind: 'campaign', startsOn: '2027-06-01', endsOn: '2027-08-31' })
  expect(label).toMatchObject({ color: 'red', kind: 'label', startsOn: null, endsOn: null })
  expect((await carillon.labels.list()).map(({ id }) => id)).toEqual(expect.arrayContaining([campaign.id, label.id]))
  const taken = await call('POST /labels', { body: { name: label.name.toUpperCase(), color: 'red' } })
  expect([taken.status, taken.error.code]).toEqual([409, 'label_name_taken'])
  const other = await carillon.labels.create({ name: uniqueText('Gone'), color: 'gray' })
  expect(await carillon.labels.update(other.id, { color: 'pink' })).toMatchObject({ name: other.name, color: 'pink' })
  const post = await createDraft({ labels: [other.id] })
  expect(await carillon.labels.remove(other.id)).toEqual({ posts: 1 })
  expect(await labelsOf(post)).toBeUndefined()
  await remove([post])
})

row('D 18 post', async () => {
  const post = await createDraft({ labels: [campaign.id] })
  expect(await labelsOf(post)).toEqual([campaign.id])
  expect((await carillon.content.update(post, { labels: [label.id, campaign.id] })).labels).toEqual([campaign.id, label.id])
  expect(await carillon.content.update(post, { labels: [] })).not.toHaveProperty('labels')
  for (const labels of [['f'.repeat(24)], Array.from({ length: 11 }, (_, at) => at.toString(16).repeat(24))]) {
    const refused = await call(`PATCH /content/${post}`, { body: { labels } })
    expect([refused.status, refused.error.code]).toEqual([422, 'request_invalid'])
  }
  await remove([post])
})

row('D 18 bulk', async () => {
  const post = await createScheduled()
  const result = await carillon.content.bulkLabel({ ids: [post], add: [label.id] })
  expect(result).toEqual({ requested: 1, succeeded: 1, failed: [] })
  expect(await carillon.content.get(post)).toMatchObject({ status: 'scheduled', labels: [label.id] })
  await carillon.content.bulkLabel({ ids: [post], add: [campaign.id], remove: [label.id] })
  expect(await labelsOf(post)).toEqual([campaign.id])
  const ten: Label[] = []
  for (let n = 0; n < 10; n++) ten.push(await carillon.labels.create({ name: uniqueText(`Label ${n}`), color: 'blue' }))
  const { failed } = await carillon.content.bulkLabel({ ids: [post], add: ten.map(({ id }) => id) })
  expect(failed).toMatchObject([{ id: post, code: 'labels_full' }])
  for (const { id } of ten) await carillon.labels.remove(id)
  await remove([post])
})

row('D 18 filter', async () => {
  const [first, second] = [await createScheduled({ labels: [label.id] }), await createScheduled()]
  const { data, meta } = await carillon.content.list({ label: label.id })
  expect([data.map(({ uploadId }) => uploadId), meta.total]).toEqual([[first], 1])
  const at = (await carillon.content.get(first)).scheduledAt ?? ''
  const { entries } = await carillon.content.calendar({ from: at.slice(0, 10), to: at.slice(0, 10), label: label.id })
  expect(entries).toMatchObject([{ uploadId: first, labels: [label.id] }])
  expect((await carillon.analytics.overview({ label: label.id })).summary.totalPublished).toBe(0)
  expect((await carillon.analytics.overview({ by: 'label' })).labels).toEqual(expect.any(Array))
  expect(await carillon.content.validate({ type: 'text', connections: [bluesky], text: 'x', labels: [label.id] })).toMatchObject({
    valid: true,
  })
  await remove([first, second])
})

row('D 18 note', async () => {
  const text = uniqueText('The organ is tuned')
  const note = await carillon.notes.create({ startsOn: '2031-06-21', text })
  expect(note).toMatchObject({ startsOn: '2031-06-21', endsOn: '2031-06-21', color: 'yellow', text })
  await carillon.notes.update(note.id, { endsOn: '2031-06-23' })
  const during = async (from: string, to: string) => (await carillon.notes.list({ from, to })).map(({ id }) => id)
  expect(await during('2031-06-22', '2031-06-22')).toEqual([note.id])
  expect(await during('2031-06-24', '2031-06-30')).toEqual([])
  await carillon.notes.remove(note.id)
  expect(await during('2031-06-01', '2031-06-30')).toEqual([])
})

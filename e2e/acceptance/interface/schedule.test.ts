import { setTimeout as sleep } from 'node:timers/promises'
import type { Post } from '@carillon/sdk'
import { expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, get } from '../../rig/call.ts'
import { create, dayMs, draft, readPost, scheduled } from '../../rig/posts.ts'
import { ahead, finished, onPlatforms, unique } from '../../world.ts'

const soonMs = 2500
/** A post that is about to go out, unless somebody does something about it. */
const soon = async (text: string) => (await create({ text, scheduledAt: ahead(soonMs) })).data.uploadId

rows(scheduled, {
  'I 3 scheduled to published': async (uploadId) => {
    expect(await get(`POST /content/${uploadId}/publish-now`)).toMatchObject({ status: 'publishing' })
    expect((await finished(uploadId)).status).toBe('completed')
  },
  'I 4.1 POST /content/:id/publish-now': async (uploadId) =>
    expect(await onPlatforms((await readPost(uploadId)).text ?? '')).toHaveLength(1),
})

row('D 6 reschedule', async () => {
  const text = unique('put off')
  const uploadId = await soon(text)
  const body = { scheduledAt: ahead(60 * dayMs), timezone: 'Asia/Tokyo' }
  expect(await get(`POST /content/${uploadId}/reschedule`, { body })).toMatchObject({ status: 'scheduled', ...body })
  await sleep(soonMs + 1500)
  expect([(await readPost(uploadId)).status, await onPlatforms(text)]).toEqual(['scheduled', []])

  const scheduledAt = ahead(soonMs)
  await get(`POST /content/${uploadId}/reschedule`, { body: { scheduledAt } })
  expect((await finished(uploadId)).status).toBe('completed')
  const [seen, ...others] = await onPlatforms(text)
  expect([others, (seen?.atMs ?? 0) >= Date.parse(scheduledAt)]).toEqual([[], true])
  expect((await call(`POST /content/${uploadId}/reschedule`, { body })).status).toBe(409)
})

row('D 6 unschedule', async () => {
  const text = unique('taken back')
  const uploadId = await soon(text)
  expect(await get<Post>(`POST /content/${uploadId}/unschedule`)).toMatchObject({ status: 'draft' })
  await sleep(soonMs + 1500)
  expect([(await readPost(uploadId)).status, await onPlatforms(text)]).toEqual(['draft', []])
  const reply = await call(`POST /content/${await draft()}/unschedule`)
  expect([reply.status, reply.error.code]).toEqual([409, 'not_scheduled'])
})

row('D 5 clock changes', async () => {
  const gaps = [
    ['2028-03-26T02:30:00', 'Europe/Berlin', '2028-03-26T01:30:00.000Z'],
    ['2028-03-12T02:30:00', 'America/New_York', '2028-03-12T07:30:00.000Z'],
    ['2028-10-01T02:30:00', 'Australia/Sydney', '2028-09-30T16:30:00.000Z'],
    ['2028-10-01T02:15:00', 'Australia/Lord_Howe', '2028-09-30T15:45:00.000Z'],
  ] as const
  const overlaps = [
    ['2028-10-29T02:30:00', 'Europe/Berlin', '2028-10-29T00:30:00.000Z'],
    ['2028-11-05T01:30:00', 'America/New_York', '2028-11-05T05:30:00.000Z'],
    ['2028-04-02T02:30:00', 'Australia/Sydney', '2028-04-01T15:30:00.000Z'],
    ['2028-04-02T01:45:00', 'Australia/Lord_Howe', '2028-04-01T14:45:00.000Z'],
  ] as const
  for (const [scheduledAt, timezone, instant] of [...gaps, ...overlaps]) {
    const { uploadId } = (await create({ scheduledAt, timezone })).data
    expect(await readPost(uploadId)).toMatchObject({ status: 'scheduled', scheduledAt: instant, timezone })
  }
})

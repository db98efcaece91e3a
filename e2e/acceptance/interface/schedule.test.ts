import { setTimeout as sleep } from 'node:timers/promises'
import type { Post } from '@carillon/sdk'
import { expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { createDraft, createPost, createScheduled, dayMs, readPost } from '../../support/posts.ts'
import { findPlatformPosts, timeAfter, uniqueText, waitUntilFinished } from '../../test-stack.ts'

const soonMs = 2500
/** Creates a post that will be published soon unless the test changes it. */
const soon = async (text: string) => (await createPost({ text, scheduledAt: timeAfter(soonMs) })).data.uploadId

rows(createScheduled, {
  'I 3 scheduled to published': async (uploadId) => {
    expect(await callData(`POST /content/${uploadId}/publish-now`)).toMatchObject({ status: 'publishing' })
    expect((await waitUntilFinished(uploadId)).status).toBe('completed')
  },
  'I 4.1 POST /content/:id/publish-now': async (uploadId) =>
    expect(await findPlatformPosts((await readPost(uploadId)).text ?? '')).toHaveLength(1),
})

row('D 6 reschedule', async () => {
  const text = uniqueText('put off')
  const uploadId = await soon(text)
  const body = { scheduledAt: timeAfter(60 * dayMs), timezone: 'Asia/Tokyo' }
  expect(await callData(`POST /content/${uploadId}/reschedule`, { body })).toMatchObject({ status: 'scheduled', ...body })
  await sleep(soonMs + 1500)
  expect([(await readPost(uploadId)).status, await findPlatformPosts(text)]).toEqual(['scheduled', []])

  const scheduledAt = timeAfter(soonMs)
  await callData(`POST /content/${uploadId}/reschedule`, { body: { scheduledAt } })
  expect((await waitUntilFinished(uploadId)).status).toBe('completed')
  const [seen, ...others] = await findPlatformPosts(text)
  expect([others, (seen?.atMs ?? 0) >= Date.parse(scheduledAt)]).toEqual([[], true])
  expect((await call(`POST /content/${uploadId}/reschedule`, { body })).status).toBe(409)
})

row('D 6 unschedule', async () => {
  const text = uniqueText('taken back')
  const uploadId = await soon(text)
  expect(await callData<Post>(`POST /content/${uploadId}/unschedule`)).toMatchObject({ status: 'draft' })
  await sleep(soonMs + 1500)
  expect([(await readPost(uploadId)).status, await findPlatformPosts(text)]).toEqual(['draft', []])
  const reply = await call(`POST /content/${await createDraft()}/unschedule`)
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
    const { uploadId } = (await createPost({ scheduledAt, timezone })).data
    expect(await readPost(uploadId)).toMatchObject({ status: 'scheduled', scheduledAt: instant, timezone })
  }
})

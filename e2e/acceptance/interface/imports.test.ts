import { request, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import type { Import } from '@carillon/sdk'
import { expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { Browser, newAddress } from '../../support/browser.ts'
import { call, callData } from '../../support/call.ts'
import { inviteAndAccept } from '../../support/invite-and-accept.ts'
import { makePng } from '../../support/files.ts'
import { dayMs, uploadMedia } from '../../support/posts.ts'
import { bluesky, carillon, testStack, timeAfter, uniqueText } from '../../test-stack.ts'

const lines = (...rows: object[]) => rows.map((each) => JSON.stringify(each)).join('\n')
const read = (content: string, more: object = {}) =>
  callData<Import>('POST /imports', { body: { format: 'jsonl', content, ...more } })
const statuses = ({ rows }: Import) => rows.map(({ status }) => status)
const postsWith = async (text: string) => (await carillon.content.list({ search: text })).data

/** A request that says how long its body is, and sends the beginning. The service answers without waiting for the rest. */
async function announce(bytes: number): Promise<{ status: number | undefined; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = {
    authorization: `Bearer ${testStack.apiKey}`,
    'x-workspace-id': testStack.workspaceId,
    'content-type': 'application/json',
    'content-length': bytes,
  }
  const sent = request(new URL(`${testStack.baseUrl}/imports`), { method: 'POST', headers }, resolve)
  sent.on('error', reject)
  sent.write('{"format":"csv","content":"')
  const response = await promise
  const answer = { status: response.statusCode, text: await readText(response) }
  sent.destroy()
  return answer
}

async function removePosts(words: string): Promise<void> {
  const found = await postsWith(words)
  if (found.length > 0) await carillon.content.bulkDelete({ ids: found.map(({ uploadId }) => uploadId) })
}

row('D 19 dry run', async () => {
  const text = uniqueText('dry run')
  const made = await read(lines({ connections: [bluesky], text }))
  expect(made).toMatchObject({ next: null, rows: [{ row: 1, status: 'ready', placement: 'draft', excerpt: text }] })
  expect(await postsWith(text)).toEqual([])
  expect((await carillon.imports.list()).map(({ id }) => id)).toContain(made.id)
  await carillon.imports.remove(made.id)
  expect((await call(`GET /imports/${made.id}`)).error.code).toBe('import_not_found')
})

row('D 19 rows', async () => {
  const text = uniqueText('rows')
  const made = await read(
    lines(
      { connections: [bluesky], text },
      { connections: [bluesky], text: `${text} ${'long '.repeat(200)}`, scheduledAt: timeAfter(dayMs) },
      { connections: ['nobody'], text },
      { connections: [bluesky], text: `${text} too` },
    ),
    { dryRun: false, placement: 'scheduled', oldQueueStopped: true },
  )
  expect(made.rows.map(({ status, code }) => [status, code])).toEqual([
    ['created', null],
    ['refused', 'post_invalid'],
    ['refused', 'connection_unknown'],
    ['created', null],
  ])
  expect(await postsWith(text)).toHaveLength(2)
  await removePosts(text)
})

row('D 19 files', async () => {
  const [text, { url }] = [uniqueText('files'), await uploadMedia(makePng(37), 'import.png')]
  const assets = [{ source: url, mimeType: 'image/png', image: { altText: 'A bell' } }]
  const node = { id: text, text, status: 'draft', channel: { service: 'bluesky', name: 'no such name' }, assets }
  const content = JSON.stringify({ data: { posts: { edges: [{ node }] } } })
  const tried = await read(content, { format: 'buffer' })
  expect(tried.accounts).toEqual([{ account: 'bluesky/no such name', connection: null, rows: 1 }])
  const accounts = { 'bluesky/no such name': bluesky }
  expect(statuses(await carillon.imports.run(tried.id, { dryRun: false, accounts }))).toEqual(['created'])
  const [post] = await postsWith(text)
  expect(post).toMatchObject({
    type: 'photo',
    status: 'draft',
    medias: [{ id: expect.any(String), type: 'image', alt: 'A bell' }],
  })
  await removePosts(text)
})

row('D 19 once', async () => {
  const text = uniqueText('once')
  const one = { id: text, connections: [bluesky], text }
  expect(statuses(await read(lines(one), { dryRun: false }))).toEqual(['created'])
  expect(statuses(await read(lines(one), { dryRun: false }))).toEqual(['exists'])
  expect(statuses(await read(lines(one, one, { ...one, text: `${text} changed` }), { dryRun: false }))).toEqual([
    'exists',
    'exists',
    'exists',
  ])
  expect(await postsWith(text)).toHaveLength(1)
  await removePosts(text)
})

row('D 19 queue', async () => {
  const text = uniqueText('queue')
  const content = lines({ connections: [bluesky], text, scheduledAt: timeAfter(dayMs) })
  const wish = { format: 'jsonl', content, dryRun: false, placement: 'scheduled' }
  const refused = await call('POST /imports', { body: wish })
  expect([refused.status, refused.error.code]).toEqual([409, 'old_queue_running'])
  expect(await postsWith(text)).toEqual([])
  const { id } = await read(content, { dryRun: false })
  expect((await postsWith(text)).map(({ status }) => status)).toEqual(['draft'])
  const done = await carillon.imports.run(id, { dryRun: false, placement: 'scheduled', oldQueueStopped: true })
  expect(done.rows).toMatchObject([{ status: 'created', placement: 'scheduled' }])
  expect((await postsWith(text)).map(({ status }) => status)).toEqual(['scheduled'])
  await removePosts(text)
})

row('D 19 rights', async () => {
  const text = uniqueText('rights')
  const body = { format: 'jsonl', content: lines({ connections: [bluesky], text }), dryRun: false }
  const workspace = testStack.workspaceId
  for (const [role, status] of [
    ['viewer', 403],
    ['editor', 201],
  ] as const) {
    const [email, person] = [newAddress(role), new Browser()]
    await person.signIn(email)
    await inviteAndAccept(workspace, email, role)
    const answer = await person.open('POST /api/imports', { body, workspace })
    expect([role, answer.status]).toEqual([role, status])
  }
  const mine = await read(lines({ connections: [bluesky], text }))
  const stranger = new Browser()
  await stranger.signIn(newAddress('stranger'))
  expect((await stranger.open(`GET /api/imports/${mine.id}`, { workspace })).status).toBeGreaterThanOrEqual(403)
  expect((await stranger.open('POST /api/imports', { body, workspace })).status).toBeGreaterThanOrEqual(403)
  await removePosts(text)
})

row('D 19 export', async () => {
  const text = uniqueText('export')
  await read(lines({ connections: [bluesky], text: `=1+1 ${text}` }), { dryRun: false })
  const [csv, jsonl] = [await carillon.exports.csv({ search: text }), await carillon.exports.lines({ search: text })]
  expect(csv.split('\r\n')[1]).toContain(`,'=1+1 ${text},`)
  expect(JSON.parse(jsonl)).toMatchObject({ text: `=1+1 ${text}`, status: 'draft', connections: [bluesky] })
  for (const [format, content] of [
    ['csv', csv],
    ['jsonl', jsonl],
  ] as const)
    expect(statuses(await read(content, { format }))).toEqual(['exists'])
  await removePosts(text)
  expect(statuses(await read(csv, { format: 'csv', dryRun: false }))).toEqual(['created'])
  expect((await postsWith(text)).map((post) => post.text)).toEqual([`=1+1 ${text}`])
  await removePosts(text)
})

row('D 19 feed', async () => {
  const text = uniqueText('feed')
  await read(lines({ connections: [bluesky], text, scheduledAt: timeAfter(dayMs) }), {
    dryRun: false,
    placement: 'scheduled',
    oldQueueStopped: true,
  })
  const first = await carillon.calendarFeed.create()
  expect(await (await fetch(first.url)).text()).toContain(`SUMMARY:${text}`)
  // A key that may do everything with posts cannot leave behind an address that outlives it.
  const at = `/workspaces/${testStack.workspaceId}/api-keys`
  const { key } = await callData<{ key: string }>(`POST ${at}`, { body: { label: 'posts', scopes: ['content:*'] } })
  expect((await call('POST /calendar-feed', { key, body: {} })).error.code).toBe('scope_missing')
  const second = await carillon.calendarFeed.create({ texts: false })
  expect((await fetch(first.url)).status).toBe(404)
  expect(await (await fetch(second.url)).text()).not.toContain(text)
  await carillon.calendarFeed.remove()
  const revoked = await fetch(second.url)
  expect([revoked.status, await carillon.calendarFeed.get()]).toEqual([404, null])
  await removePosts(text)
})

row('D 19 limits', async () => {
  const large = await announce(10_000_000)
  expect([large.status, large.text]).toEqual([413, expect.stringContaining('body_too_large')])
  const many = await call('POST /imports', { body: { format: 'csv', content: `text\n${'Ding\n'.repeat(1001)}` } })
  expect([many.status, many.error.code]).toEqual([422, 'request_invalid'])
})

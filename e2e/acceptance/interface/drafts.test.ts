import type { Post, Verdict } from '@carillon/sdk'
import { expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { createDraft, createPost, createScheduled, readPost, textBody, uploadMedia } from '../../support/posts.ts'
import { makePng } from '../../support/png.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { bluesky, mastodon, testStack, uniqueText } from '../../test-stack.ts'

const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  call<Post>(`PATCH /content/${id}`, { body, headers })

row('D 13 same fields', async () => {
  const id = await createDraft()
  const change = textBody({ title: 'T', saveDraft: true, async: true })
  expect(await patch(id, change)).toMatchObject({ status: 200, data: { status: 'draft', title: 'T', text: change['text'] } })
  const verdict = await callData<Verdict>('POST /content/validate', { body: { ...change, type: 'text' } })
  expect(verdict.valid).toBe(true)
})

row('D 13 unfinished', async () => {
  for (const [kind, body] of [
    ['text', { connections: [] }],
    ['text', { connections: [bluesky], text: '' }],
    ['photos', { connections: [bluesky] }],
    ['video', { connections: [], medias: [] }],
  ] as const) {
    const { draftId } = await callData<{ draftId: string }>(`POST /content/${kind}`, { body: { ...body, saveDraft: true } })
    const post = await readPost(draftId)
    const warnings = [...post.warnings, ...post.channels.flatMap(({ result }) => result.warnings)]
    expect(warnings.length).toBeGreaterThan(0)
    expect((await call(`POST /content/${kind}`, { body })).status).toBe(422)
  }
  expect((await call('POST /content/text', { body: { text: 'x', saveDraft: true } })).status).toBe(422)
  const id = await createDraft()
  expect(await patch(id, { connections: [], text: '' })).toMatchObject({ status: 200, data: { channels: [], text: '' } })
})

row('D 13 publish unfinished', async () => {
  const { draftId } = await callData<{ draftId: string }>('POST /content/text', { body: { connections: [], saveDraft: true } })
  expect(await call(`POST /content/${draftId}/publish`)).toMatchObject({ status: 422, error: { code: 'request_invalid' } })
  expect((await readPost(draftId)).status).toBe('draft')
  await patch(draftId, { connections: [mastodon], text: uniqueText('finished') })
  expect((await call<Post>(`POST /content/${draftId}/publish`)).data.status).toBe('publishing')
})

row('D 13 type', async () => {
  const photo = await uploadMedia(makePng(), 'bell.png')
  const id = await createDraft()
  expect((await patch(id, { type: 'photo', medias: [photo.id] })).data).toMatchObject({
    type: 'photo',
    medias: [{ id: photo.id }],
  })
  expect((await patch(id, { type: 'text' })).status).toBe(422)
  expect((await patch(id, { type: 'text', medias: [] })).data).toMatchObject({ type: 'text', medias: [] })
})

row('D 13 issues', async () => {
  const text = 'a'.repeat(501)
  const refused = await createPost({ connections: [mastodon], text })
  const detail = {
    path: 'connections[0].text',
    code: 'text_too_long',
    message: 'Mastodon takes at most 500 characters; this text has 501.',
    params: { platform: 'Mastodon', limit: 500, actual: 501, unit: 'character' },
  }
  expect(refused.error.details).toEqual([detail])
  const draft = await readPost(await createDraft({ connections: [mastodon], text }))
  expect(draft.issues).toEqual([{ ...detail, blocking: true }])
})

row('D 13 If-Match', async () => {
  const id = await createDraft()
  const { headers, data } = await call<Post>(`GET /content/${id}`)
  const etag = headers.get('etag') ?? ''
  expect(etag).toBe(`"${data.updatedAt}"`)
  expect((await patch(id, { title: 'mine' }, { 'if-match': etag })).status).toBe(200)
  const stale = await patch(id, { title: 'theirs' }, { 'if-match': etag })
  expect([stale.status, stale.error.code]).toEqual([412, 'draft_changed'])
  expect(JSON.parse(stale.text)).toMatchObject({ error: { current: { uploadId: id, title: 'mine' } } })
  expect((await patch(id, { title: 'last' })).data.title).toBe('last')
})

row('D 13 autosave', async () => {
  const id = await createDraft()
  const headers = { prefer: 'autosave', 'idempotency-key': uniqueText('autosave') }
  for (const title of ['one', 'two', 'three']) expect((await patch(id, { title }, headers)).data.title).toBe(title)
  const where = `where workspace_id = $1 and`
  const entries = await queryDatabase(`select 1 from audit_entry ${where} subject_id = $2 and action = 'post.update'`, [
    testStack.workspaceId,
    id,
  ])
  const answers = await queryDatabase(`select 1 from idempotency ${where} key = $2`, [
    testStack.workspaceId,
    headers['idempotency-key'],
  ])
  expect([entries.length, answers.length]).toEqual([1, 0])
})

row('D 13 clear', async () => {
  const connections = [bluesky, mastodon]
  const platformOptions = { [mastodon]: { firstComment: null } }
  const id = await createDraft({ connections, firstComment: 'First!', platformOptions })
  expect((await readPost(id)).platformOptions).toEqual(platformOptions)
  const states = await queryDatabase<{ connection_slug: string; parts: number }>(
    'select connection_slug, parts from channel where workspace_id = $1 and post_id = $2 order by position',
    [testStack.workspaceId, id],
  )
  expect(states.map(({ parts }) => parts)).toEqual([2, 1])
})

row('D 13 counted once', async () => {
  const id = await createScheduled()
  const used = async () => {
    const [row_] = await queryDatabase<{ counted: boolean }>('select counted from post where workspace_id = $1 and id = $2', [
      testStack.workspaceId,
      id,
    ])
    const { usage } = await callData<{ usage: { count: number } }>(`GET /workspaces/${testStack.workspaceId}`)
    return { isCounted: row_?.counted, count: usage.count }
  }
  const before = await used()
  await callData(`POST /content/${id}/unschedule`)
  await patch(id, { title: 'edited' })
  expect((await call<Post>(`POST /content/${id}/publish`)).data.status).toBe('scheduled')
  expect(await used()).toEqual({ ...before, isCounted: true })
})

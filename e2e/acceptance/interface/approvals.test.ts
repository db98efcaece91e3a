import type { ApiKey, Connection, Post } from '@carillon/sdk'
import { beforeAll, expect, test } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { Browser, newAddress } from '../../support/browser.ts'
import { call } from '../../support/call.ts'
import { authorizeAccount, confirmAccount } from '../../support/connect-account.ts'
import { inviteAndAccept } from '../../support/invite-and-accept.ts'
import { findPlatformPosts, timeAfter, uniqueText } from '../../test-stack.ts'

/** A workspace of its own, because the rule holds for all posts of a workspace: its owner in a browser, and a program with the owner's key. */
const owner = new Browser()
let workspace = ''
let program = ''
let connection = ''

beforeAll(async () => {
  await owner.signIn(newAddress('owner'))
  workspace = (await asOwner<{ id: string }>('POST /workspaces', { name: uniqueText('Approvals') })).data.id
  program = await makeKey({})
  const address = await authorizeAccount({ platform: 'x', handle: `a${Date.now()}`, key: program, workspaceId: workspace })
  await confirmAccount(owner, address)
  const { data } = await asOwner<Connection[]>(`GET /workspaces/${workspace}/connections`)
  connection = data[0]?.slug ?? ''
  await asOwner(`PATCH /workspaces/${workspace}`, { approval: 'programs' })
})

async function asOwner<T = Post>(route: string, body?: object): Promise<{ status: number; code: string | null; data: T }> {
  const [method, path] = route.split(' ')
  const page = await owner.open(`${method} /api${path}`, { ...(body && { body }), workspace })
  return { status: page.status, code: page.code, data: page.data as T }
}

async function makeKey(more: object): Promise<string> {
  const { data } = await asOwner<ApiKey>(`POST /workspaces/${workspace}/api-keys`, { label: 'agent', ...more })
  return data.key ?? ''
}

const asProgram = <T = Post>(route: string, body?: object, key = program) =>
  call<T>(route, { key, workspace, ...(body && { body }) })
const createWith = (more: object) =>
  asProgram<{ draftId: string }>('POST /content/text', { connections: [connection], text: uniqueText('approval'), ...more })
const read = async (id: string) => (await asOwner(`GET /content/${id}`)).data
const approve = (id: string, revision = '') => asOwner(`POST /content/${id}/approve`, { revision })

async function submit(more: object = {}): Promise<{ id: string; revision: string }> {
  const { data } = await createWith({ submit: true, scheduledAt: timeAfter(3_600_000), ...more })
  return { id: data.draftId, revision: (await read(data.draftId)).approval?.revision ?? '' }
}

row('D 17 rule', async () => {
  const text = uniqueText('not approved')
  const refused = await createWith({ text })
  expect([refused.status, refused.error.code]).toEqual([403, 'approval_required'])
  expect(refused.error.message).toContain('submit')
  const draft = (await createWith({ text, saveDraft: true })).data.draftId
  expect((await asProgram(`POST /content/${draft}/publish`)).error.code).toBe('approval_required')
  expect(await read(draft)).toMatchObject({ status: 'draft' })
  const switched = await asProgram(`PATCH /workspaces/${workspace}`, { approval: 'none' })
  expect(switched.error.code).toBe('scope_missing')
  const shown = await asOwner<{ approval: string }>(`GET /workspaces/${workspace}`)
  expect(shown.data.approval).toBe('programs')
  expect(await findPlatformPosts(text)).toEqual([])
})

row('D 17 submit', async () => {
  const scheduledAt = timeAfter(7_200_000)
  const draft = (await createWith({ saveDraft: true })).data.draftId
  const waiting = await asProgram(`POST /content/${draft}/submit`, { scheduledAt, comment: 'Please look.' })
  expect(waiting.data).toMatchObject({ status: 'draft', approval: { state: 'pending', comment: 'Please look.' } })
  const { id } = await submit()
  const listed = await asOwner<{ data: Post[] }>('GET /content?approval=pending&limit=100')
  expect(listed.data.data.map(({ uploadId }) => uploadId)).toEqual(expect.arrayContaining([draft, id]))
})

row('D 17 approve', async () => {
  const text = uniqueText('approved')
  const made = await createWith({ text, submit: true })
  const id = made.data.draftId
  const approvalLink = { url: expect.stringContaining('/approve/'), expiresAt: expect.any(String) }
  expect(made.data).toEqual({ success: true, draftId: id, approvalUrl: expect.stringContaining(id), approvalLink })
  const revision = (await read(id)).approval?.revision
  const second = await makeKey({ scopes: ['content:approve'] })
  expect((await asProgram(`POST /content/${id}/approve`, { revision }, second)).error.code).toBe('approval_own')
  expect((await approve(id, revision ?? '')).data).toMatchObject({ status: 'publishing', approval: { state: 'approved' } })
  await expect.poll(() => findPlatformPosts(text), { timeout: 30_000, interval: 500 }).toHaveLength(1)
  const own = await asOwner<{ draftId: string }>('POST /content/text', { connections: [connection], text, submit: true })
  expect((await approve(own.data.draftId, (await read(own.data.draftId)).approval?.revision ?? '')).code).toBe('approval_own')
})

row('D 17 changes', async () => {
  const { id, revision } = await submit()
  await asProgram(`PATCH /content/${id}`, { text: uniqueText('changed') })
  expect((await approve(id, revision)).code).toBe('not_submitted')
  await asProgram(`POST /content/${id}/submit`)
  expect(await approve(id, revision)).toMatchObject({ status: 409, code: 'approval_changed' })
  expect(await read(id)).toMatchObject({ status: 'draft', approval: { state: 'pending' } })
})

row('D 17 decisions', async () => {
  const { id } = await submit()
  await asOwner(`POST /content/${id}/request-changes`, { comment: 'Which bells?' })
  expect((await read(id)).approval).toMatchObject({ state: 'changes_requested', comment: 'Which bells?' })
  await asProgram(`POST /content/${id}/submit`)
  await asProgram(`POST /content/${id}/withdraw`)
  const { approval } = await read(id)
  expect(approval?.state).toBe('none')
  expect(approval?.history?.map(({ action }) => action)).toEqual(['submitted', 'changes_requested', 'submitted', 'withdrawn'])
  const told = async () => {
    const { data } = await asOwner<{ data: { event: string; data: { uploadId?: string; status?: string } }[] }>(
      'GET /events?type=content.submitted,content.changes_requested&limit=100',
    )
    return data.data.flatMap(({ event, data: post }) => (post.uploadId === id ? [`${event} ${post.status}`] : []))
  }
  await expect
    .poll(told, { timeout: 10_000 })
    .toEqual(['content.submitted draft', 'content.changes_requested draft', 'content.submitted draft'])
})

test('another tenant finds no post to decide about, and an editor may decide nothing', async () => {
  const { id, revision } = await submit()
  const [email, stranger] = [newAddress('stranger'), new Browser()]
  await stranger.signIn(email)
  const own = await stranger.open('POST /api/workspaces', { body: { name: uniqueText('Strangers') } })
  const ask = async (action: string, body: object, from: string) => {
    const { status, code } = await stranger.open(`POST /api/content/${id}/${action}`, { body, workspace: from })
    return [status, code]
  }
  const ways: [string, object][] = [
    ['approve', { revision }],
    ['request-changes', { comment: 'Which bells?' }],
  ]
  for (const [action, body] of ways) {
    expect(await ask(action, body, (own.data as { id: string }).id)).toEqual([404, 'post_not_found'])
    expect(await ask(action, body, workspace)).toEqual([404, 'workspace_not_found'])
  }
  await inviteAndAccept(workspace, email, 'editor', program)
  for (const [action, body] of ways) expect(await ask(action, body, workspace)).toEqual([403, 'role_forbidden'])
  expect(await read(id)).toMatchObject({ status: 'draft', approval: { state: 'pending' } })
})

row('D 17 scope', async () => {
  const { id, revision } = await submit()
  for (const scopes of [['content:*'], ['content:write', 'content:publish', 'workspaces:*']]) {
    const key = await makeKey({ scopes })
    const refused = await asProgram(`POST /content/${id}/approve`, { revision }, key)
    expect([refused.status, refused.error.code]).toEqual([403, 'scope_missing'])
  }
})

row('D 27 mark', async () => {
  const { data: made } = await asOwner<{ id: string; approval: string }>('POST /workspaces', { name: uniqueText('Default') })
  expect(made.approval).toBe('agents')
  await asOwner(`PATCH /workspaces/${workspace}`, { approval: 'agents' })
  const agent = await makeKey({ agent: true })
  const text = uniqueText('an agent')
  const body = { connections: [connection], text, scheduledAt: timeAfter(3_600_000) }
  expect((await asProgram('POST /content/text', body, agent)).error.code).toBe('approval_required')
  expect((await asProgram(`PATCH /workspaces/${workspace}`, { approval: 'none' }, agent)).error.code).toBe('scope_missing')
  const keys = `/workspaces/${workspace}/api-keys`
  expect((await asProgram(`POST ${keys}`, { label: 'free', agent: false }, agent)).error.code).toBe('scope_missing')
  expect((await asOwner(`POST ${keys}`, { label: 'both', agent: true, scopes: ['content:approve'] })).code).toBe(
    'request_invalid',
  )
  const listed = (await asOwner<ApiKey[]>(`GET ${keys}`)).data
  expect(listed.filter(({ agent: isAgent }) => isAgent)).toHaveLength(1)
  expect((await asProgram('POST /content/text', body)).status).toBe(201)
  await asOwner(`PATCH /workspaces/${workspace}`, { approval: 'everyone' })
  expect((await asOwner('POST /content/text', body)).code).toBe('approval_required')
  await asOwner(`PATCH /workspaces/${workspace}`, { approval: 'programs' })
})

import type { ApiKey, ApprovalLink, Connection, Post, PostComment } from '@carillon/sdk'
import { beforeAll, expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { Browser, newAddress } from '../../support/browser.ts'
import { call } from '../../support/call.ts'
import { authorizeAccount, confirmAccount } from '../../support/connect-account.ts'
import { findPlatformPosts, testStack, timeAfter, uniqueText } from '../../test-stack.ts'

/** A workspace of its own, whose rule holds for its program. The client is nobody: requests without a key and without a cookie. */
const owner = new Browser()
let workspace = ''
let program = ''
let connection = ''

type Made = ApprovalLink & { url: string }

beforeAll(async () => {
  await owner.signIn(newAddress('owner'))
  workspace = (await asOwner<{ id: string }>('POST /workspaces', { name: uniqueText('Clients') })).data.id
  program = (await asOwner<ApiKey>(`POST /workspaces/${workspace}/api-keys`, { label: 'agent' })).data.key ?? ''
  const address = await authorizeAccount({ platform: 'x', handle: `c${Date.now()}`, key: program, workspaceId: workspace })
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

const asProgram = <T = Post>(route: string, body?: object) => call<T>(route, { key: program, workspace, ...(body && { body }) })
const read = async (id: string) => (await asOwner(`GET /content/${id}`)).data

async function draft(text: string, more: object = {}): Promise<string> {
  const body = { connections: [connection], text, saveDraft: true, ...more }
  return (await asProgram<{ draftId: string }>('POST /content/text', body)).data.draftId
}

const share = async (id: string) => (await asOwner<Made>('POST /approval-links', { posts: [id] })).data
const here = (url: string) => new URL(new URL(url).pathname, testStack.baseUrl)
const look = async (url: string, method = 'GET') => {
  const response = await fetch(here(url), { method })
  return { status: response.status, html: await response.text(), headers: response.headers }
}

async function press(url: string, id: string, action: string, more: Record<string, string> = {}): Promise<number> {
  const { html } = await look(url)
  const revision = new RegExp(`name="revision-${id}" value="([0-9a-f]+)"`).exec(html)?.[1] ?? ''
  const body = new URLSearchParams({ name: 'Ada', action: `${action}:${id}`, [`revision-${id}`]: revision, ...more })
  return (await fetch(here(url), { method: 'POST', body, headers: { origin: new URL(url).origin }, redirect: 'manual' })).status
}

row('D 26 link', async () => {
  const text = uniqueText('by link')
  const id = await draft(text)
  const { url, id: linkId } = await share(id)
  const { html, headers } = await look(url)
  expect(html).toContain(text)
  expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex, nofollow, noarchive'])
  expect(await press(url, id, 'approve')).toBe(303)
  await expect.poll(async () => (await read(id)).status, { timeout: 30_000 }).toBe('completed')
  expect(await findPlatformPosts(text)).toHaveLength(1)
  expect((await read(id)).approval).toMatchObject({ state: 'approved', client: { name: 'Ada', linkId } })
  expect(await press(url, id, 'approve')).toBe(409)
  expect(await findPlatformPosts(text)).toHaveLength(1)
})

row('D 26 page', async () => {
  const id = await draft(uniqueText('opened'))
  const { url, id: linkId } = await share(id)
  for (const method of ['GET', 'HEAD']) expect((await look(`${url}?action=approve:${id}&name=Bot`, method)).status).toBe(200)
  expect((await read(id)).approval?.state).toBe('pending')
  await asOwner(`DELETE /approval-links/${linkId}`)
  const texts = await Promise.all([look(url), look(new URL(`/approve/${'A'.repeat(43)}`, url).href)])
  expect(texts.map(({ status }) => status)).toEqual([404, 404])
  expect(new Set(texts.map(({ html }) => html.replaceAll(/href="[^"]*"/g, ''))).size).toBe(1)
})

row('D 26 lends', async () => {
  const id = await draft(uniqueText('by a program'), { scheduledAt: timeAfter(3_600_000) })
  const made = (await asProgram<Made>('POST /approval-links', { posts: [id] })).data
  expect(made.decides).toBe(false)
  expect(await press(made.url, id, 'approve')).toBe(409)
  expect((await read(id)).status).toBe('draft')
  const own = await share(id)
  expect(own.decides).toBe(true)
  expect(await press(own.url, id, 'approve')).toBe(303)
  expect((await read(id)).status).toBe('scheduled')
})

row('D 26 comments', async () => {
  const id = await draft(uniqueText('discussed'), { scheduledAt: timeAfter(3_600_000) })
  const { url } = await share(id)
  const members = await asOwner<{ userId: string }[]>(`GET /workspaces/${workspace}/members`)
  const mentions = members.data.map(({ userId }) => userId)
  await asProgram(`POST /content/${id}/comments`, { text: 'Between us.', mentions })
  await asOwner(`POST /content/${id}/comments`, { text: 'Dear client.', audience: 'client' })
  const { html } = await look(url)
  expect([html.includes('Dear client.'), html.includes('Between us.')]).toEqual([true, false])
  expect(await press(url, id, 'comment', { [`note-${id}`]: 'Thank you.' })).toBe(303)
  const listed = await asOwner<PostComment[]>(`GET /content/${id}/comments`)
  expect(listed.data.map(({ text, audience, client }) => [text, audience, client?.name])).toEqual([
    ['Between us.', 'members', undefined],
    ['Dear client.', 'client', undefined],
    ['Thank you.', 'client', 'Ada'],
  ])
  expect(listed.data[0]?.mentions.map(({ userId }) => userId)).toEqual(mentions)
  const list = async () => (await asOwner<{ data: object[] }>('GET /events?type=content.commented&limit=100')).data.data.length
  await expect.poll(list, { timeout: 20_000 }).toBe(3)
})

row('D 27 link', async () => {
  const text = uniqueText('for a phone')
  const body = { connections: [connection], text, submit: true, scheduledAt: timeAfter(3_600_000) }
  const { data } = await asProgram<{ draftId: string; approvalLink: { url: string } }>('POST /content/text', body)
  const [id, { url }] = [data.draftId, data.approvalLink]
  const { html } = await look(url)
  expect([html.includes(text), html.includes('/auth/sign-in?returnTo=')]).toEqual([true, true])
  expect(await press(url, id, 'approve')).toBe(409)
  const { pathname } = new URL(url)
  const page = (await owner.get(pathname)).text
  const revision = new RegExp(`name="revision-${id}" value="([0-9a-f]+)"`).exec(page)?.[1] ?? ''
  expect((await owner.press(pathname, { action: `approve:${id}`, [`revision-${id}`]: revision })).status).toBe(303)
  const post = await read(id)
  expect(post).toMatchObject({ status: 'scheduled', approval: { state: 'approved', by: { apiKeyId: null } } })
  expect(post.approval?.client).toBeUndefined()
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiKey, ApprovalLink, ApprovalRule, Post, PostComment, Role } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newUuid } from '../../../../infra/db/ids.ts'
import { apiKeyRoutes } from '../../../api-keys/api-key.routes.ts'
import { insertMember, updateRole } from '../../../members/member.store.ts'
import { ensurePerson } from '../../../people/find-person.ts'
import { signInAs } from '../../../people/sign-in.fixture.ts'
import { workspaceRoutes } from '../../../workspaces/workspace.routes.ts'
import { commentRoutes } from '../../comments/comment.routes.ts'
import { PostApi } from '../../post-api.fixture.ts'
import { remindOverdue } from '../remind-overdue.ts'
import { approvalLinkRoutes, approvalPageRoutes } from './approval-link.routes.ts'

let api: PostApi
let folder: string
let nowMs = 0
let owner: Caller
let origin = ''

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Reply<T> = { status: number; data: T; code: string }
type Caller = { personId: string; send<T = Post>(method: Method, path: string, body?: object): Promise<Reply<T>> }
type Made = ApprovalLink & { url: string }

const dayMs = 86_400_000
const text = 'The bells ring at nine.'
const tomorrow = () => new Date(nowMs + dayMs).toISOString()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-links-'))
  api = await PostApi.start(folder, {
    routes: [apiKeyRoutes, approvalLinkRoutes, commentRoutes, workspaceRoutes],
    root: [approvalPageRoutes],
    replace: { nowMs: () => nowMs },
  })
  origin = new URL(api.ctx.config.publicUrl).origin
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  nowMs = Date.now()
  await api.openWorkspace()
  owner = await personAs(api.personId)
})

function caller(personId: string, headers: Record<string, string>): Caller {
  return {
    personId,
    async send<T>(method: Method, path: string, body?: object) {
      const response = await api.server.app.inject({
        method,
        url: `/api${path}`,
        headers: { ...headers, 'x-workspace-id': api.workspaceId },
        ...(body && { payload: body }),
      })
      const { data, error } = response.json<{ data: T; error?: { code: string } }>()
      return { status: response.statusCode, data, code: error?.code ?? String(response.statusCode) }
    },
  }
}

async function personAs(personId: string): Promise<Caller> {
  return caller(personId, { cookie: await signInAs(api.ctx, personId), origin })
}

async function joinAs(role: Role): Promise<Caller> {
  const { id } = await ensurePerson(api.ctx.db.system, `${newUuid()}@example.com`, nowMs)
  await insertMember(api.ctx.db.system, { workspaceId: api.workspaceId, personId: id, role, joinedAt: new Date(nowMs) })
  return personAs(id)
}

async function program(more: object = {}): Promise<Caller & { keyId: string }> {
  const { data } = await owner.send<ApiKey>('POST', `/workspaces/${api.workspaceId}/api-keys`, { label: 'agent', ...more })
  return { ...caller(owner.personId, { authorization: `Bearer ${data.key}` }), keyId: data.id }
}

const setRule = (approval: ApprovalRule) => owner.send('PATCH', `/workspaces/${api.workspaceId}`, { approval })
const read = async (id: string) => (await owner.send('GET', `/content/${id}`)).data

async function draft(by: Caller = owner, more: object = {}): Promise<string> {
  const body = { connections: [api.first], text, saveDraft: true, scheduledAt: tomorrow(), ...more }
  const path = 'medias' in more ? '/content/photos' : '/content/text'
  return (await by.send<{ draftId: string }>('POST', path, body)).data.draftId
}

async function share(posts: string[], by: Caller = owner, more: object = {}): Promise<Made> {
  const { data, code } = await by.send<Made>('POST', '/approval-links', { posts, ...more })
  if (!data) throw new Error(`no link was made: ${code}`)
  return data
}

const pathOf = ({ url }: { url: string }) => new URL(url).pathname

async function open(link: { url: string }, headers: Record<string, string> = {}) {
  const response = await api.server.app.inject({ method: 'GET', url: pathOf(link), headers })
  return { status: response.statusCode, html: response.body, headers: response.headers }
}

/** What a browser sends after the button was pressed, with every field that the page has. */
async function press(link: { url: string }, action: string, fields: Record<string, string> = {}, from = origin) {
  const { html } = await open(link)
  const hidden = [...html.matchAll(/name="(revision-[0-9a-f]+)" value="([0-9a-f]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const form = new URLSearchParams({ ...Object.fromEntries(hidden), name: 'Ada Client', action, ...fields })
  return send(link, form, from)
}

async function send(link: { url: string }, form: URLSearchParams, from = origin) {
  const response = await api.server.app.inject({
    method: 'POST',
    url: pathOf(link),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: from },
    payload: form.toString(),
  })
  return { status: response.statusCode, html: response.body }
}

describe('guarantee: a client reads exactly what is published, and decides once about exactly that', () => {
  test('the page shows accounts, texts, comments, settings and the time, and the approval names the client and the maker', async () => {
    const id = await draft(owner, {
      connections: [api.first, api.second],
      firstComment: 'Come early.',
      platformOptions: { [api.second]: { text: 'Nine, on the second.', visibility: 'private' } },
    })
    const link = await share([id], owner, { name: 'Ada Client' })
    expect(link).toMatchObject({ decides: true, posts: [{ uploadId: id }], name: 'Ada Client', mailed: false })
    const { html, headers } = await open(link)
    for (const shown of [text, 'Nine, on the second.', 'Come early.', 'Followers only', 'value="Ada Client"', 'Mastodon', 'UTC'])
      expect(html).toContain(shown)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow, noarchive',
    })
    expect(html).not.toContain('<script')

    expect((await press(link, `approve:${id}`)).status).toBe(303)
    const { status, approval } = await read(id)
    expect([status, approval]).toMatchObject([
      'scheduled',
      { state: 'approved', by: { userId: owner.personId }, client: { name: 'Ada Client', linkId: link.id } },
    ])
    expect((await open(link)).html).toContain('Approved by Ada Client')
    expect((await press(link, `approve:${id}`)).status).toBe(409)
    expect((await press(link, `changes:${id}`, { [`note-${id}`]: 'Stop!' })).status).toBe(409)
    expect((await read(id)).approval?.history?.map(({ action }) => action)).toEqual(['submitted', 'approved'])
  })

  test('changes are asked for with a note, which is plain text whatever it holds', async () => {
    const id = await draft()
    const link = await share([id])
    const hostile = '<img src=x onerror=alert(1)>\u202E\u0000 "\'&\r\n\n\n\nBells\u200b'
    expect((await press(link, `changes:${id}`, { name: ' <b>\u202EAda</b>\n\n ', [`note-${id}`]: hostile })).status).toBe(303)
    const { approval } = await read(id)
    expect(approval).toMatchObject({
      state: 'changes_requested',
      client: { name: '<b>Ada</b>' },
      comment: '<img src=x onerror=alert(1)> "\'&\n\nBells',
    })
    const { html } = await open(link)
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(html).not.toContain('<img')
    expect(html).not.toContain(text)
  })

  test('a text is changed between looking and approving: nothing is approved, and the page shows the new one', async () => {
    const id = await draft()
    const link = await share([id])
    const { html } = await open(link)
    const seen = /name="revision-[0-9a-f]+" value="([0-9a-f]+)"/.exec(html)?.[1] ?? ''
    await owner.send('PATCH', `/content/${id}`, { text: 'The bells ring at ten.' })
    expect((await open(link)).html).not.toContain('at ten')
    await owner.send('POST', `/content/${id}/submit`)
    const refused = await press(link, `approve:${id}`, { [`revision-${id}`]: seen })
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('The bells ring at ten.')
    expect(refused.html).toContain('Nothing was approved')
    expect((await read(id)).status).toBe('draft')
    expect((await open(link)).html).toContain('This post was changed after you were sent the link')
    expect((await press(link, `approve:${id}`)).status).toBe(303)
    expect(await read(id)).toMatchObject({ status: 'scheduled', text: 'The bells ring at ten.' })
  })

  test('two clients decide at once: one decision is taken', async () => {
    const id = await draft()
    const links = await Promise.all([share([id]), share([id])])
    const form = { [`note-${id}`]: 'No.' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        press(links[index % 2] ?? links[0], index % 3 ? `approve:${id}` : `changes:${id}`, form),
      ),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect((await read(id)).approval?.history).toHaveLength(2)
  })

  test('all posts of a link are approved together', async () => {
    const ids = [await draft(), await draft(owner, { text: 'And at ten.' }), await draft(owner, { text: 'And at eleven.' })]
    const link = await share(ids)
    expect((await press(link, 'approve-all')).status).toBe(303)
    for (const id of ids)
      expect(await read(id)).toMatchObject({ status: 'scheduled', approval: { client: { name: 'Ada Client' } } })
  })

  test('the time has passed: the page asks for now or another time', async () => {
    const [first, second] = [await draft(), await draft(owner, { text: 'Later.' })]
    const link = await share([first, second])
    nowMs += 2 * dayMs
    owner = caller(api.personId, { authorization: `Bearer ${api.apiKey}` })
    expect((await press(link, `approve:${first}`)).status).toBe(409)
    expect((await press(link, 'approve-all')).status).toBe(409)
    expect((await open(link)).html).toContain('Approve and publish now')
    const wall = new Date(nowMs + dayMs).toISOString().slice(0, 16)
    for (const at of ['', 'soon', '2020-01-01T09:00', `${wall}Z[x]`])
      expect((await press(link, `approve-at:${first}`, { [`at-${first}`]: at })).status).toBe(409)
    expect((await read(first)).status).toBe('draft')
    expect((await press(link, `approve-at:${first}`, { [`at-${first}`]: wall })).status).toBe(303)
    expect(await read(first)).toMatchObject({
      status: 'scheduled',
      scheduledAt: `${wall}:00.000Z`,
      approval: { state: 'approved' },
    })
    expect((await press(link, `approve-now:${second}`)).status).toBe(303)
    expect((await read(second)).status).toBe('publishing')
  })
})

describe('guarantee: nothing but a form of the page of a link that works decides', () => {
  test('opening it approves nothing, whoever asks and how', async () => {
    const id = await draft()
    const link = await share([id])
    const { html } = await open(link)
    const revision = /name="revision-[0-9a-f]+" value="([0-9a-f]+)"/.exec(html)?.[1] ?? ''
    const query = new URLSearchParams({ name: 'Bot', action: `approve:${id}`, [`revision-${id}`]: revision })
    for (const method of ['GET', 'HEAD'] as const)
      for (const agent of ['Slackbot-LinkExpanding 1.0', 'WhatsApp/2', 'facebookexternalhit/1.1'])
        await api.server.app.inject({ method, url: `${pathOf(link)}?${query}`, headers: { 'user-agent': agent } })
    expect(await read(id)).toMatchObject({ status: 'draft', approval: { state: 'pending' } })
  })

  test('a form of another site is refused', async () => {
    const id = await draft()
    const link = await share([id])
    for (const from of ['https://evil.example', 'null', ''])
      expect((await press(link, `approve:${id}`, {}, from)).status).toBe(403)
    expect((await read(id)).status).toBe('draft')
  })

  test('a link that is unknown, revoked or expired shows the same, and decides nothing', async () => {
    const id = await draft()
    const link = await share([id])
    const fields = new URLSearchParams({
      name: 'Ada',
      action: `approve:${id}`,
      [`revision-${id}`]: link.posts[0]?.revision ?? '',
    })
    const guess = { url: `${origin}/approve/${'A'.repeat(43)}` }
    const unknown = await open(guess)
    expect([unknown.status, (await open({ url: `${origin}/approve/x` })).status]).toEqual([404, 404])
    nowMs += 14 * dayMs
    const expired = await open(link)
    expect([expired.status, (await send(link, fields)).status]).toEqual([404, 404])
    nowMs -= 13 * dayMs
    owner = caller(api.personId, { authorization: `Bearer ${api.apiKey}` })
    expect((await open(link)).status).toBe(200)
    expect((await owner.send('DELETE', `/approval-links/${link.id}`)).code).toBe('200')
    const revoked = await open(link)
    const body = (page: string) => page.replaceAll(/href="[^"]*"/g, '')
    expect([body(revoked.html), body(expired.html)]).toEqual([body(unknown.html), body(unknown.html)])
    expect((await send(link, fields)).status).toBe(404)
    expect((await read(id)).status).toBe('draft')
    expect((await owner.send('DELETE', `/approval-links/${'0'.repeat(24)}`)).code).toBe('approval_link_not_found')
  })

  test('guesses are limited', async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 70; count++) {
      const response = await api.server.app.inject({
        method: 'GET',
        url: `/approve/${'B'.repeat(43)}`,
        remoteAddress: '192.0.2.7',
      })
      statuses.add(response.statusCode)
    }
    expect([...statuses]).toEqual([404, 429])
  })

  test('a link decides about its own posts only, in its own workspace', async () => {
    const [shared, other] = [await draft(), await draft()]
    const link = await share([shared])
    await owner.send('POST', `/content/${other}/submit`)
    const revision = (await read(other)).approval?.revision ?? ''
    const attack = (action: string) => press(link, action, { [`revision-${other}`]: revision, [`note-${other}`]: 'x' })
    for (const action of [`approve:${other}`, `changes:${other}`, `comment:${other}`])
      expect((await attack(action)).status).toBe(404)
    expect((await read(other)).approval?.state).toBe('pending')

    const before = api.workspaceId
    await api.openWorkspace()
    const stranger = await personAs(api.personId)
    expect((await stranger.send<ApprovalLink[]>('GET', '/approval-links')).data).toEqual([])
    expect((await stranger.send('DELETE', `/approval-links/${link.id}`)).code).toBe('approval_link_not_found')
    expect((await stranger.send('POST', '/approval-links', { posts: [shared] })).code).toBe('post_not_found')
    expect((await stranger.send('GET', `/content/${shared}/comments`)).code).toBe('post_not_found')
    api.workspaceId = before
    expect((await open(link)).status).toBe(200)
  })

  test('the secret is shown once and stored as a hash', async () => {
    const link = await share([await draft()])
    const token = pathOf(link).split('/').at(-1) ?? ''
    const listed = await owner.send<ApprovalLink[]>('GET', '/approval-links')
    expect(JSON.stringify(listed.data)).not.toContain(token)
    const row = await api.ctx.db.system
      .selectFrom('approval_link')
      .where('id', '=', link.id)
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(token)
  })
})

describe('guarantee: a link lends the right that its maker has now, and no more', () => {
  type Maker = 'owner' | 'editor' | 'program' | 'program that approves' | 'agent'
  const makers: Record<Maker, () => Promise<Caller>> = {
    owner: async () => owner,
    editor: () => joinAs('editor'),
    program: () => program(),
    agent: () => program({ agent: true }),
    'program that approves': () => program({ scopes: ['content:*', 'content:approve', 'media:*'] }),
  }
  const lends: Record<ApprovalRule, readonly Maker[]> = {
    none: ['owner', 'editor', 'program', 'program that approves', 'agent'],
    agents: ['owner', 'editor', 'program', 'program that approves'],
    programs: ['owner', 'editor'],
    editors: ['owner'],
    everyone: [],
  }
  const cases = (Object.keys(lends) as ApprovalRule[]).flatMap((rule) =>
    (Object.keys(makers) as Maker[]).map((who) => ({ rule, who, isLent: lends[rule].includes(who) })),
  )
  test.each(cases)(
    'with the rule $rule, the link of $who for an own post approves without an account: $isLent',
    async ({ rule, who, isLent }) => {
      const by = await makers[who]()
      const id = await draft(by)
      await setRule(rule)
      const link = await share([id], by)
      const { html } = await open(link)
      expect([link.decides, html.includes(`value="approve:${id}"`), html.includes('Sign in to approve')]).toEqual([
        isLent,
        isLent,
        !isLent,
      ])
      expect((await press(link, `approve:${id}`)).status).toBe(isLent ? 303 : 409)
      expect((await read(id)).status).toBe(isLent ? 'scheduled' : 'draft')
      // A note may be left where nothing is decided. What is decided takes none any more.
      expect((await press(link, `changes:${id}`, { [`note-${id}`]: 'Ten.' })).status).toBe(isLent ? 409 : 303)
    },
  )

  test('a key that approves lends that for what a person submitted', async () => {
    const editor = await joinAs('editor')
    const id = await draft(editor)
    await setRule('editors')
    await editor.send('POST', `/content/${id}/submit`)
    const link = await share([id], await makers['program that approves']())
    expect((await press(link, `approve:${id}`)).status).toBe(303)
  })

  test('a key for drafts lends nothing', async () => {
    const by = await program({ scopes: ['content:draft'] })
    const id = await draft(by)
    const link = await share([id], by)
    expect([link.decides, (await press(link, `approve:${id}`)).status]).toEqual([false, 409])
  })

  test('it ends with the membership, the role or the key of its maker', async () => {
    const editor = await joinAs('editor')
    const by = await program()
    const links = [await share([await draft(editor)], editor), await share([await draft(by)], by)]
    for (const link of links) expect((await open(link)).status).toBe(200)
    const key = `/workspaces/${api.workspaceId}/api-keys/${by.keyId}`
    await api.ctx.db.tenant(api.workspaceId, (tx) => updateRole(tx, api.workspaceId, editor.personId, 'viewer'))
    expect((await owner.send('DELETE', key)).code).toBe('200')
    for (const link of links) {
      expect((await open(link)).status).toBe(404)
      expect((await press(link, `approve:${link.posts[0]?.uploadId}`)).status).toBe(404)
    }
    await api.ctx.db.tenant(api.workspaceId, (tx) => updateRole(tx, api.workspaceId, editor.personId, 'editor'))
    expect((await open(links[0] ?? { url: '' })).status).toBe(200)
    await api.ctx.db.system.deleteFrom('member').where('person_id', '=', editor.personId).execute()
    expect((await open(links[0] ?? { url: '' })).status).toBe(404)
  })

  test('a key that is held to accounts shares no post of others', async () => {
    const by = await program({ limits: { connections: [api.second] } })
    expect((await by.send('POST', '/approval-links', { posts: [await draft()] })).code).toBe('connection_not_allowed')
  })

  test('a viewer makes none', async () => {
    const viewer = await joinAs('viewer')
    expect((await viewer.send('POST', '/approval-links', { posts: [await draft()] })).code).toBe('role_forbidden')
  })
})

describe('guarantee: comments stay among those for whom they are', () => {
  test('members mention members; the client sees what is for clients, and answers', async () => {
    const [editor, viewer] = [await joinAs('editor'), await joinAs('viewer')]
    const id = await draft()
    const link = await share([id])
    const say = (by: Caller, body: object) => by.send<PostComment>('POST', `/content/${id}/comments`, body)
    const inner = await say(editor, { text: 'Does the client know?', mentions: [owner.personId] })
    expect(inner.data).toMatchObject({ audience: 'members', mentions: [{ userId: owner.personId }] })
    await say(editor, { text: 'Please look at the hour.', audience: 'client' })
    expect((await say(viewer, { text: 'Fine.' })).status).toBe(201)
    expect((await say(viewer, { text: 'Dear client', audience: 'client' })).code).toBe('role_forbidden')
    const stranger = await ensurePerson(api.ctx.db.system, `${newUuid()}@example.com`, nowMs)
    expect((await say(editor, { text: 'x', mentions: [stranger.id] })).code).toBe('member_not_found')
    expect((await say(editor, { text: ' \n ' })).code).toBe('request_invalid')

    const { html } = await open(link)
    expect(html).toContain('Please look at the hour.')
    expect(html).not.toContain('Does the client know?')
    expect((await press(link, `comment:${id}`, { [`note-${id}`]: 'Nine is right.' })).status).toBe(303)
    const listed = (await viewer.send<PostComment[]>('GET', `/content/${id}/comments`)).data
    expect(listed.map(({ text: said }) => said)).toEqual([
      'Does the client know?',
      'Please look at the hour.',
      'Fine.',
      'Nine is right.',
    ])
    expect(listed.at(-1)).toMatchObject({ by: null, client: { name: 'Ada Client', linkId: link.id }, audience: 'client' })
    expect((await read(id)).approval?.state).toBe('pending')
  })

  test('a comment is changed by its author, and deleted by its author or an admin', async () => {
    const [editor, other] = [await joinAs('editor'), await joinAs('editor')]
    const id = await draft()
    const { data } = await editor.send<PostComment>('POST', `/content/${id}/comments`, { text: 'Nine?' })
    const path = `/content/${id}/comments/${data.id}`
    expect((await other.send('PATCH', path, { text: 'Ten' })).code).toBe('comment_not_found')
    expect((await owner.send('PATCH', path, { text: 'Ten' })).code).toBe('comment_not_found')
    expect((await other.send('DELETE', path)).code).toBe('comment_not_found')
    nowMs += 1000
    const changed = await editor.send<PostComment>('PATCH', path, { text: 'Ten?', mentions: [other.personId] })
    expect(changed.data).toMatchObject({
      text: 'Ten?',
      editedAt: new Date(nowMs).toISOString(),
      mentions: [{ userId: other.personId }],
    })
    expect((await owner.send('DELETE', path)).code).toBe('200')
    expect((await editor.send('DELETE', path)).code).toBe('comment_not_found')
  })
})

test('guarantee: a post that still waits is reported a day before its time and when it passes, once each', async () => {
  const count = async () => {
    await remindOverdue(api.ctx)
    const rows = await api.ctx.db.system
      .selectFrom('outbox_event')
      .where('workspace_id', '=', api.workspaceId)
      .where('event', '=', 'content.approval_overdue')
      .select('post_id')
      .execute()
    return rows.length
  }
  const id = await draft(owner, { scheduledAt: new Date(nowMs + 3 * dayMs).toISOString() })
  const near = await draft(owner, { scheduledAt: new Date(nowMs + dayMs / 2).toISOString() })
  const done = await draft(owner, { scheduledAt: new Date(nowMs + 3 * dayMs).toISOString() })
  const link = await share([id, near, done])
  await press(link, `approve:${done}`)
  expect(await count()).toBe(0)
  nowMs += dayMs
  expect(await count()).toBe(1)
  nowMs += dayMs
  expect([await count(), await count()]).toEqual([2, 2])
  nowMs += dayMs
  expect([await count(), await count()]).toEqual([3, 3])
})

type Submitted = { draftId: string; approvalUrl: string; approvalLink: { url: string; expiresAt: string } }

describe('guarantee: the link that a program gets with its submission decides nothing without a person who signed in', () => {
  async function submit(by: Caller, more: object = {}): Promise<Submitted> {
    const body = { connections: [api.first, api.second], text, scheduledAt: tomorrow(), submit: true, ...more }
    return (await by.send<Submitted>('POST', '/content/text', body)).data
  }
  const pressAs = async (personId: string | null, link: { url: string }, action: string, fields: Record<string, string> = {}) => {
    const headers = personId === null ? {} : { cookie: await signInAs(api.ctx, personId) }
    const { html } = await open(link, headers)
    const hidden = [...html.matchAll(/name="(revision-[0-9a-f]+)" value="([0-9a-f]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    const payload = new URLSearchParams({ ...Object.fromEntries(hidden), name: 'The program', action, ...fields }).toString()
    const response = await api.server.app.inject({
      method: 'POST',
      url: pathOf(link),
      headers: { ...headers, origin, 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    })
    return { html, status: response.statusCode }
  }

  test('it names the accounts, the time and the exact text, and leads to the sign-in and back', async () => {
    const made = await submit(await program({ agent: true }))
    const { html, status } = await open(made.approvalLink)
    expect(status).toBe(200)
    expect(html).toContain(text)
    expect(html.match(/class="accounts"/g)).toHaveLength(1)
    expect(html).toContain('Planned for')
    expect(html).toContain(`/auth/sign-in?returnTo=${encodeURIComponent(pathOf(made.approvalLink))}`)
    expect(html).not.toContain(`value="approve:${made.draftId}"`)
  })

  test.each(['none', 'agents', 'programs', 'everyone'] as const)(
    'with the rule %s, its program cannot approve with it',
    async (rule) => {
      const made = await submit(await program({ agent: true }))
      await setRule(rule)
      const { status } = await pressAs(null, made.approvalLink, `approve:${made.draftId}`)
      expect([status, (await read(made.draftId)).status]).toEqual([409, 'draft'])
    },
  )

  test('an approver who is signed in approves with one press, by their own name, once', async () => {
    const made = await submit(await program({ agent: true }))
    expect((await pressAs(owner.personId, made.approvalLink, `approve:${made.draftId}`)).status).toBe(303)
    const post = await read(made.draftId)
    expect(post).toMatchObject({
      status: 'scheduled',
      approval: { state: 'approved', by: { userId: owner.personId, apiKeyId: null } },
    })
    expect(post.approval?.client).toBeUndefined()
    expect((await pressAs(owner.personId, made.approvalLink, `approve:${made.draftId}`)).status).toBe(409)
  })

  test('an editor and a stranger who are signed in approve nothing', async () => {
    const made = await submit(await program({ agent: true }))
    const editor = await joinAs('editor')
    const { id: stranger } = await ensurePerson(api.ctx.db.system, `${newUuid()}@example.com`, nowMs)
    for (const personId of [editor.personId, stranger])
      expect((await pressAs(personId, made.approvalLink, `approve:${made.draftId}`)).status).toBe(409)
    expect((await read(made.draftId)).status).toBe('draft')
  })

  test('a person who submitted the post does not approve it with a link of their program', async () => {
    const made = await submit(await program({ agent: true }))
    await owner.send('POST', `/content/${made.draftId}/withdraw`)
    await owner.send('POST', `/content/${made.draftId}/submit`)
    expect((await open(made.approvalLink)).status).toBe(404)
  })

  test('it ends with the next submission, and shows nothing of a post that is being changed', async () => {
    const by = await program({ agent: true })
    const made = await submit(by)
    await by.send('PATCH', `/content/${made.draftId}`, { text: 'Buy now!' })
    const shown = await open(made.approvalLink)
    expect([shown.html.includes('Buy now!'), shown.html.includes(text)]).toEqual([false, false])
    expect((await pressAs(owner.personId, made.approvalLink, `approve:${made.draftId}`)).status).toBe(409)
    const again = await by.send('POST', `/content/${made.draftId}/submit`)
    expect((await open(made.approvalLink)).status).toBe(404)
    expect((await open({ url: again.data.approval?.link?.url ?? '' })).html).toContain('Buy now!')
    expect((await by.send('GET', `/content/${made.draftId}`)).data.approval?.link).toBeUndefined()
  })

  test('people get none, and it ends with the key of its program', async () => {
    expect((await submit(owner)).approvalLink).toBeUndefined()
    const by = await program({ agent: true })
    const made = await submit(by)
    await owner.send('DELETE', `/workspaces/${api.workspaceId}/api-keys/${by.keyId}`)
    expect((await open(made.approvalLink)).status).toBe(404)
  })
})

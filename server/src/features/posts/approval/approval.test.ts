import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiKey, ApprovalRule, Post, Queue, Role, Workspace } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newUuid } from '../../../infra/db/ids.ts'
import { apiKeyRoutes } from '../../api-keys/api-key.routes.ts'
import { insertMember } from '../../members/member.store.ts'
import { ensurePerson, findPerson } from '../../people/find-person.ts'
import { signInAs } from '../../people/sign-in.fixture.ts'
import { queueRoutes } from '../../queues/queue.routes.ts'
import { workspaceRoutes } from '../../workspaces/workspace.routes.ts'
import { PostApi } from '../post-api.fixture.ts'

let api: PostApi
let folder: string
let nowMs = 0
let owner: Caller
let author: Caller
let approver: Caller

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Reply<T> = { status: number; data: T; code: string }
type Caller = { personId: string; send<T = Post>(method: Method, path: string, body?: object): Promise<Reply<T>> }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-approval-'))
  api = await PostApi.start(folder, { routes: [apiKeyRoutes, workspaceRoutes, queueRoutes], replace: { nowMs: () => nowMs } })
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  nowMs = Date.now()
  await api.openWorkspace()
  owner = caller(api.personId, await cookieOf(api.personId))
  author = await joinAs('editor')
  approver = await joinAs('admin')
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

async function cookieOf(personId: string): Promise<Record<string, string>> {
  return { cookie: await signInAs(api.ctx, personId), origin: new URL(api.ctx.config.publicUrl).origin }
}

/** A person who joins with this role, in a browser. */
async function joinAs(role: Role): Promise<Caller> {
  const { id } = await ensurePerson(api.ctx.db.system, `${newUuid()}@example.com`, nowMs)
  await insertMember(api.ctx.db.system, { workspaceId: api.workspaceId, personId: id, role, joinedAt: new Date(nowMs) })
  return caller(id, await cookieOf(id))
}

/** A program with a key of the owner. */
async function program(more: object = {}): Promise<Caller> {
  const path = `/workspaces/${api.workspaceId}/api-keys`
  const { data } = await owner.send<ApiKey>('POST', path, { label: 'agent', ...more })
  return caller(owner.personId, { authorization: `Bearer ${data.key}` })
}

async function setRule(approval: ApprovalRule, by = owner): Promise<string> {
  return (await by.send<Workspace>('PATCH', `/workspaces/${api.workspaceId}`, { approval })).code
}

const text = 'The bells ring at nine.'
const fields = (more: object = {}) => ({ connections: [api.first], text, ...more })
const tomorrow = () => new Date(nowMs + 86_400_000).toISOString()

async function make(by: Caller, more: object): Promise<string> {
  const path = 'medias' in more ? '/content/photos' : '/content/text'
  const { data, code } = await by.send<{ uploadId?: string; draftId?: string }>('POST', path, fields(more))
  const id = data?.draftId ?? data?.uploadId
  if (!id) throw new Error(`the post was refused: ${code}`)
  return id
}

/** A post that the author submitted. */
async function submitted(more: object = {}, by = author): Promise<{ id: string; revision: string }> {
  const id = await make(by, { submit: true, ...more })
  const { approval } = await read(id)
  expect(approval).toMatchObject({ state: 'pending', revision: expect.stringMatching(/^[0-9a-f]{64}$/) })
  return { id, revision: approval?.revision ?? '' }
}

const read = async (id: string) => (await owner.send('GET', `/content/${id}`)).data
const approve = (by: Caller, id: string, revision: string) => by.send('POST', `/content/${id}/approve`, { revision })
const stateOf = async (id: string) => (await read(id)).approval?.state

describe('guarantee: no way to the schedule passes a post that another person must approve', () => {
  async function postIn(state: 'draft' | 'scheduled' | 'failed'): Promise<string> {
    if (state === 'draft') return make(approver, { saveDraft: true })
    await setRule('none')
    const id = await make(approver, { scheduledAt: tomorrow() })
    if (state === 'failed') {
      await api.setPost(id, { status: 'failed' })
      await api.setChannel(id, { state: 'failed', finished_at: new Date(nowMs) })
    }
    return id
  }
  const newQueue = async () => {
    const slots = ['monday', 'thursday'].map((day) => ({ day, time: '09:00' }))
    return (await owner.send<Queue>('POST', '/queues', { name: 'Main', slots })).data.id
  }
  const ways: [string, () => Promise<[Method, string, object?]>][] = [
    ['publish a new post', async () => ['POST', '/content/text', fields()]],
    ['schedule a new post', async () => ['POST', '/content/text', fields({ scheduledAt: tomorrow() })]],
    ['queue a new post', async () => ['POST', '/content/text', fields({ queue: await newQueue() })]],
    ['publish a draft', async () => ['POST', `/content/${await postIn('draft')}/publish`]],
    ['publish a submitted draft', async () => ['POST', `/content/${(await submitted()).id}/publish`]],
    ['queue a draft', async () => ['POST', `/content/${await postIn('draft')}/queue`, { queue: await newQueue() }]],
    ['publish now', async () => ['POST', `/content/${await postIn('scheduled')}/publish-now`]],
    ['reschedule', async () => ['POST', `/content/${await postIn('scheduled')}/reschedule`, { scheduledAt: tomorrow() }]],
    [
      'change a scheduled post',
      async () => ['PATCH', `/content/${await postIn('scheduled')}`, { text: 'Ten.', keepSchedule: true }],
    ],
    ['retry', async () => ['POST', `/content/${await postIn('failed')}/retry`]],
    ['retry many', async () => ['POST', '/content/bulk-retry', { ids: [await postIn('failed')] }]],
    [
      'reschedule many',
      async () => ['POST', '/content/bulk-reschedule', { ids: [await postIn('scheduled')], scheduledAt: tomorrow() }],
    ],
  ]
  type Who = 'editor' | 'admin' | 'program of the owner' | 'agent of the owner'
  const callers: Record<Who, () => Promise<Caller>> = {
    editor: async () => author,
    admin: async () => approver,
    'program of the owner': () => program(),
    'agent of the owner': () => program({ agent: true }),
  }
  const needed: Record<ApprovalRule, readonly Who[]> = {
    none: [],
    agents: ['agent of the owner'],
    programs: ['program of the owner', 'agent of the owner'],
    editors: ['editor', 'program of the owner', 'agent of the owner'],
    everyone: ['editor', 'admin', 'program of the owner', 'agent of the owner'],
  }
  const cases = ways.flatMap(([what, ask]) =>
    (Object.keys(needed) as ApprovalRule[]).flatMap((rule) =>
      (Object.keys(callers) as Who[]).map((who) => ({ what, ask, rule, who, isRefused: needed[rule].includes(who) })),
    ),
  )
  test.each(cases)('$what with the rule $rule as $who: refused $isRefused', async ({ ask, rule, who, isRefused }) => {
    const by = await callers[who]()
    const [method, path, body] = await ask()
    expect(await setRule(rule)).toBe('200')
    const { status, code, data } = await by.send<{ failed?: { code: string }[] }>(method, path, body)
    const refusal = data?.failed ? data.failed[0]?.code : code
    const isDone = [200, 201].includes(status) && !data?.failed?.length
    expect(isDone ? 'done' : refusal).toBe(isRefused ? 'approval_required' : 'done')
  })

  test('what a caller may not publish stays as it was', async () => {
    await setRule('editors')
    const id = await make(author, { saveDraft: true })
    await author.send('POST', `/content/${id}/publish`)
    expect(await read(id)).toMatchObject({ status: 'draft', text })
    expect(await api.channels(id)).toMatchObject([{ state: 'draft', due_at: null }])
  })
})

describe('guarantee: an approval releases exactly what was submitted, at the time that was wished for', () => {
  beforeEach(() => setRule('editors'))

  test('for later, with its history', async () => {
    const scheduledAt = tomorrow()
    const id = await make(author, { saveDraft: true })
    const { data: waiting } = await author.send('POST', `/content/${id}/submit`, { scheduledAt, comment: 'Please look.' })
    expect(waiting).toMatchObject({ status: 'draft', scheduledAt, approval: { state: 'pending', comment: 'Please look.' } })
    const revision = waiting.approval?.revision ?? ''
    const { data } = await approver.send('POST', `/content/${id}/approve`, { revision, comment: 'Good.' })
    expect(data).toMatchObject({ status: 'scheduled', scheduledAt, warnings: [] })
    const by = (personId: string) => expect.objectContaining({ userId: personId, apiKeyId: null })
    expect(data.approval).toMatchObject({ state: 'approved', revision, by: by(approver.personId), comment: 'Good.' })
    expect(data.approval?.history).toMatchObject([
      { action: 'submitted', by: by(author.personId), comment: 'Please look.', revision, dueAt: scheduledAt },
      { action: 'approved', by: by(approver.personId), comment: 'Good.', revision, dueAt: scheduledAt },
    ])
    expect(await api.channels(id)).toMatchObject([{ state: 'scheduled', due_at: new Date(scheduledAt) }])
    const events = await api.ctx.db.system
      .selectFrom('outbox_event')
      .where('post_id', '=', id)
      .select('event')
      .orderBy('id')
      .execute()
    expect(events.map(({ event }) => event)).toEqual(['content.submitted', 'upload.scheduled', 'content.approved'])
  })

  test('at once if no time was wished for', async () => {
    const { id, revision } = await submitted()
    expect((await approve(approver, id, revision)).data).toMatchObject({ status: 'publishing', warnings: [] })
  })

  test('at once if the time has passed, and the post says so', async () => {
    const { id, revision } = await submitted({ scheduledAt: new Date(nowMs + 600_000).toISOString() })
    nowMs += 1_200_000
    const { data, code } = await approve(approver, id, revision)
    expect(code).toBe('200')
    expect(data.status).toBe('publishing')
    expect(data.warnings).toEqual([expect.stringContaining('was approved after its time')])
    expect(data.approval?.history?.at(-1)).toMatchObject({ action: 'approved', dueAt: new Date(nowMs).toISOString() })
  })

  test('a post that is returned waits no more, keeps its comment while it is changed, and is submitted again', async () => {
    const { id, revision } = await submitted()
    const { data } = await approver.send('POST', `/content/${id}/request-changes`, { comment: 'Which bells?' })
    expect(data).toMatchObject({
      status: 'draft',
      approval: { state: 'changes_requested', revision: null, comment: 'Which bells?' },
    })
    expect((await approve(approver, id, revision)).code).toBe('not_submitted')
    await author.send('PATCH', `/content/${id}`, { text: 'The bells of the tower ring at nine.' })
    expect(await stateOf(id)).toBe('changes_requested')
    const again = await author.send('POST', `/content/${id}/submit`)
    expect(again.data.approval).toMatchObject({ state: 'pending' })
    expect((await approve(approver, id, again.data.approval?.revision ?? '')).code).toBe('200')
  })

  test('each step of the history names who took it', async () => {
    const { id } = await submitted()
    await approver.send('POST', `/content/${id}/request-changes`, { comment: 'Which bells?' })
    const { data } = await author.send('POST', `/content/${id}/submit`)
    const nameOf = async ({ personId }: Caller) => (await findPerson(api.ctx.db.system, personId))?.name
    expect(data.approval?.history?.map(({ action, by }) => [action, by.name])).toEqual([
      ['submitted', await nameOf(author)],
      ['changes_requested', await nameOf(approver)],
      ['submitted', await nameOf(author)],
    ])
  })

  test('a post that was taken back is a plain draft', async () => {
    const { id, revision } = await submitted()
    expect((await author.send('POST', `/content/${id}/withdraw`)).data.approval).toMatchObject({ state: 'none', revision: null })
    expect((await approve(approver, id, revision)).code).toBe('not_submitted')
    expect((await author.send('POST', `/content/${id}/withdraw`)).code).toBe('not_submitted')
  })

  test('a post that could not be published is not submitted', async () => {
    const tooLong = 'x'.repeat(501)
    expect((await author.send('POST', '/content/text', fields({ submit: true, text: tooLong }))).code).toBe('post_invalid')
    expect((await author.send('POST', '/content/text', { connections: [], text, submit: true })).status).toBe(422)
    const id = await make(author, { saveDraft: true, text: tooLong })
    expect((await author.send('POST', `/content/${id}/submit`)).code).toBe('post_invalid')
    expect((await author.send('POST', '/content/text', fields({ submit: true, queue: 'default' }))).code).toBe('request_invalid')
  })

  test('the list shows what waits', async () => {
    const [first, second] = [await submitted(), await submitted()]
    await make(author, { saveDraft: true })
    await approve(approver, first.id, first.revision)
    const list = async (approval: string) => {
      const { data } = await author.send<{ data: Post[]; meta: { total: number } }>('GET', `/content?approval=${approval}`)
      return [data.meta.total, data.data.map(({ uploadId }) => uploadId)]
    }
    expect(await list('pending')).toEqual([1, [second.id]])
    expect(await list('pending,approved')).toEqual([2, [second.id, first.id]])
  })
})

describe('guarantee: four eyes', () => {
  test('nobody approves what they submitted, whatever their role', async () => {
    const { id, revision } = await submitted({}, approver)
    expect((await approve(approver, id, revision)).code).toBe('approval_own')
    expect(await stateOf(id)).toBe('pending')
    expect((await approve(owner, id, revision)).code).toBe('200')
  })

  test('who submitted last may not approve; who had submitted before may', async () => {
    const [first, second] = [await joinAs('admin'), await joinAs('admin')]
    const { id } = await submitted({}, first)
    await first.send('POST', `/content/${id}/withdraw`)
    const { data } = await second.send('POST', `/content/${id}/submit`)
    const revision = data.approval?.revision ?? ''
    expect((await approve(second, id, revision)).code).toBe('approval_own')
    expect((await approve(first, id, revision)).code).toBe('200')
  })

  test('a person approves what a program with their key submitted, and no program of theirs does', async () => {
    const agent = await program({ scopes: ['content:draft'] })
    const { id, revision } = await submitted({}, agent)
    const second = await program({ scopes: ['content:approve'] })
    expect((await approve(second, id, revision)).code).toBe('approval_own')
    expect((await approve(owner, id, revision)).code).toBe('200')
  })

  test('what a person submitted is not approved by a program of theirs', async () => {
    const { id, revision } = await submitted({}, owner)
    expect((await approve(await program({ scopes: ['content:approve'] }), id, revision)).code).toBe('approval_own')
  })

  test('an editor approves nothing', async () => {
    const { id, revision } = await submitted()
    expect((await approve(await joinAs('editor'), id, revision)).code).toBe('role_forbidden')
  })
})

describe('guarantee: a key approves only if it was made to', () => {
  const wide = ['content:read', 'content:write', 'content:draft', 'content:publish', 'content:*', 'workspaces:*']
  const cases = [...wide.map((scope) => ({ scopes: [scope] })), { scopes: wide }, {}]
  test.each(cases)('not with %j', async (limits) => {
    const { id, revision } = await submitted()
    const agent = await program(limits)
    expect((await approve(agent, id, revision)).code).toBe('scope_missing')
    expect((await agent.send('POST', `/content/${id}/request-changes`, { comment: 'No.' })).code).toBe('scope_missing')
    expect(await stateOf(id)).toBe('pending')
  })

  test('with the scope it approves and reads, and publishes nothing else', async () => {
    const { id, revision } = await submitted()
    const agent = await program({ scopes: ['content:approve'] })
    const draft = await make(author, { saveDraft: true })
    expect((await agent.send('POST', `/content/${draft}/publish`)).code).toBe('scope_missing')
    expect((await agent.send('GET', `/content/${draft}`)).code).toBe('200')
    expect((await approve(agent, id, revision)).code).toBe('200')
  })

  test('a key without scopes neither makes such a key nor changes the rule', async () => {
    await setRule('programs')
    const agent = await program()
    const path = `/workspaces/${api.workspaceId}/api-keys`
    expect((await agent.send('POST', path, { label: 'wider', scopes: ['content:approve'] })).code).toBe('scope_missing')
    expect((await agent.send('POST', path, { label: 'same' })).code).toBe('201')
    expect(await setRule('none', agent)).toBe('scope_missing')
    expect(await setRule('none', author)).toBe('role_forbidden')
    expect(await setRule('none', await program({ scopes: ['workspaces:write', 'content:approve'] }))).toBe('200')
  })
})

describe('guarantee: a change after the submission ends the approval', () => {
  const changes: [string, () => object][] = [
    ['the text', () => ({ text: 'Ten.' })],
    ['the title', () => ({ title: 'Bells' })],
    ['the text of one account', () => ({ platformOptions: { [api.first]: { text: 'Ten.' } } })],
    ['a setting of one account', () => ({ platformOptions: { [api.first]: { visibility: 'unlisted' } } })],
    ['the accounts', () => ({ connections: [api.first, api.second] })],
    ['another account', () => ({ connections: [api.second] })],
    ['the time', () => ({ scheduledAt: tomorrow() })],
    ['the link', () => ({ linkUrl: 'https://tower.example/' })],
    ['the first comment', () => ({ firstComment: 'Buy my bells.' })],
    ['the thread', () => ({ thread: [{ text: 'And at ten.' }] })],
  ]
  test.each(changes)('%s', async (_what, change) => {
    const { id, revision } = await submitted()
    const changed = await author.send('PATCH', `/content/${id}`, change())
    expect(changed.code).toBe('200')
    expect(changed.data.approval).toBeUndefined()
    expect((await approve(approver, id, revision)).code).toBe('not_submitted')
    expect((await read(id)).approval).toMatchObject({ state: 'none', by: { userId: author.personId } })
    const again = await author.send('POST', `/content/${id}/submit`)
    expect(again.data.approval?.revision).not.toBe(revision)
    expect((await approve(approver, id, revision)).code).toBe('approval_changed')
  })

  test.each([...changes, ['the file', () => ({ medias: ['other'] })]] as typeof changes)(
    'after the approval, an agent swaps %s neither in the schedule nor by way of a draft',
    async (_what, change) => {
      await setRule('agents')
      const agent = await program({ agent: true })
      const [photo, other] = 'medias' in change() ? [await api.uploadPhoto(), await api.uploadPhoto()] : []
      const { id, revision } = await submitted({ scheduledAt: tomorrow(), ...(photo && { medias: [photo] }) }, agent)
      expect((await approve(approver, id, revision)).code).toBe('200')
      // The addresses of files end at a time that moves on.
      const kept = async () => JSON.stringify(await read(id)).replaceAll(/expires=\d+&signature=\w+/g, '')
      const before = await kept()
      // The time of a scheduled post is moved by a request of its own.
      const { scheduledAt, ...rest } = { ...change(), ...(other && { medias: [other] }) } as { scheduledAt?: string }
      const later = { scheduledAt: new Date(nowMs + 9e7).toISOString() }
      const swapped = scheduledAt
        ? await agent.send('POST', `/content/${id}/reschedule`, later)
        : await agent.send('PATCH', `/content/${id}`, { ...rest, keepSchedule: true })
      expect(swapped.code).toBe('approval_required')
      expect(await kept()).toEqual(before)
      expect((await agent.send('POST', `/content/${id}/unschedule`)).code).toBe('200')
      expect((await agent.send('PATCH', `/content/${id}`, scheduledAt ? later : rest)).code).toBe('200')
      expect((await agent.send('POST', `/content/${id}/publish`)).code).toBe('approval_required')
      expect((await approve(approver, id, revision)).code).toBe('not_submitted')
    },
  )

  test.each([
    ['saves the same', () => ({ text })],
    ['changes what is not sent', () => ({ externalId: newUuid() })],
  ])('not one that %s', async (_what, change) => {
    const { id, revision } = await submitted()
    expect((await author.send('PATCH', `/content/${id}`, change())).code).toBe('200')
    expect((await approve(approver, id, revision)).code).toBe('200')
  })

  test('files: another one, another alt text of the post or of the library, and the account behind a slug', async () => {
    const [photo, other] = [await api.uploadPhoto(), await api.uploadPhoto()]
    for (const change of [{ medias: [other] }, { mediaOptions: [{ alt: 'A bell' }] }]) {
      const { id, revision } = await submitted({ medias: [photo] })
      await author.send('PATCH', `/content/${id}`, change)
      expect((await approve(approver, id, revision)).code).toBe('not_submitted')
    }
    const library = await submitted({ medias: [photo] })
    expect((await author.send('PATCH', `/media/${photo}`, { alt: 'Buy my bells.' })).code).toBe('200')
    expect((await approve(approver, library.id, library.revision)).code).toBe('approval_changed')
    const account = await submitted()
    await api.ctx.db.system
      .updateTable('connection')
      .where('slug', '=', api.first)
      .where('workspace_id', '=', api.workspaceId)
      .set({ account_id: '9' })
      .execute()
    expect((await approve(approver, account.id, account.revision)).code).toBe('approval_changed')
  })

  test('an alt text of the library that is changed after the approval is not sent', async () => {
    const photo = await api.uploadPhoto()
    const { id, revision } = await submitted({ medias: [photo], scheduledAt: tomorrow() })
    await approve(approver, id, revision)
    await author.send('PATCH', `/media/${photo}`, { alt: 'Buy my bells.' })
    expect((await read(id)).medias).toMatchObject([{ alt: '' }])
  })

  test.each([
    ['moved', (id: string) => ['POST', `/content/${id}/reschedule`, { scheduledAt: new Date(nowMs + 9e7).toISOString() }]],
    ['changed', (id: string) => ['PATCH', `/content/${id}`, { text: 'Ten.', keepSchedule: true }]],
    ['published now', (id: string) => ['POST', `/content/${id}/publish-now`]],
    ['made a draft', (id: string) => ['POST', `/content/${id}/unschedule`]],
  ] as [string, (id: string) => [Method, string, object?]][])(
    'an approved post that an admin has %s is not approved any more',
    async (_what, ask) => {
      const { id, revision } = await submitted({ scheduledAt: tomorrow() })
      await approve(approver, id, revision)
      expect(await stateOf(id)).toBe('approved')
      const [method, path, body] = ask(id)
      expect((await approver.send(method, path, body)).code).toBe('200')
      expect((await read(id)).approval).toMatchObject({ state: 'none', history: [{}, {}, { action: 'ended' }] })
    },
  )
})

describe('guarantee: however requests race, no text goes out that nobody approved', () => {
  test('fifty submitted posts are approved and changed at once', { timeout: 60_000 }, async () => {
    await setRule('editors')
    const posts = await Promise.all(Array.from({ length: 50 }, () => submitted({ scheduledAt: tomorrow() })))
    const other = 'Nobody has read this.'
    await Promise.all(
      posts.flatMap(({ id, revision }, index) => {
        const work = [
          () => approve(approver, id, revision),
          () => author.send('PATCH', `/content/${id}`, { text: other }),
          () => author.send('POST', `/content/${id}/submit`),
          () => approve(owner, id, revision),
        ]
        return [...work.slice(index % 4), ...work.slice(0, index % 4)].map((ask) => ask())
      }),
    )
    const after = await Promise.all(posts.map(({ id }) => read(id)))
    const released = after.filter(({ status }) => status !== 'draft')
    expect(released.filter((post) => post.text !== text)).toEqual([])
    expect(released.length).toBeGreaterThan(0)
    expect(after.filter(({ status, text: own }) => status === 'draft' && own === other).length).toBeGreaterThan(0)
    for (const { approval } of released)
      expect(approval?.history?.filter(({ action }) => action === 'approved')).toMatchObject([{ revision: approval?.revision }])
  })

  test('one post is approved by fifty requests at once, and released once', { timeout: 60_000 }, async () => {
    const { id, revision } = await submitted({ scheduledAt: tomorrow() })
    const codes = await Promise.all(Array.from({ length: 50 }, async () => (await approve(approver, id, revision)).code))
    expect(codes.toSorted()).toEqual(['200', ...Array.from({ length: 49 }, () => 'not_submitted')])
  })
})

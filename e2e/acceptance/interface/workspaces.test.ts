import type { Capabilities, Connection, PlatformInfo, Workspace } from '@carillon/sdk'
import { describe, expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { inviteAndAccept, type Invitation } from '../../support/invite-and-accept.ts'
import { createDraft, createPost, dayMs, readPost, tryCreate, unknownId } from '../../support/posts.ts'
import { connectAccounts, connectHandles, createPerson } from '../../support/server-env.ts'
import { callSimulator, findPlatformPosts, testStack, timeAfter, uniqueText, waitUntilFinished } from '../../test-stack.ts'

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
const id24 = expect.stringMatching(/^[0-9a-f]{24}$/)
const at = `/workspaces/${testStack.workspaceId}`
/** The number of token calls since the last reset. Revoking a permission is one. */
async function tokenCalls(platform: string): Promise<number> {
  const response = await fetch(`${testStack.simulatorUrl}/_control/calls?platform=${platform}&operation=token`)
  return ((await response.json()) as { total: number }).total
}
const email = (name: string) => `${uniqueText(name).replace(' ', '-')}@example.com`

rows(() => callData<Workspace>('POST /workspaces', { body: { name: 'Tower' } }), {
  'I 4.5 POST /workspaces': (it) => expect(it).toMatchObject({ id: id24, name: 'Tower', role: 'owner' }),
  'D 10 Workspace': (it) =>
    expect(it).toEqual({
      id: id24,
      name: 'Tower',
      slug: expect.stringMatching(/^tower/),
      plan: 'business',
      hasPlans: false,
      timezone: expect.any(String),
      holdIfLateMinutes: null,
      approval: 'agents',
      role: 'owner',
      createdAt: instant,
      usage: { count: 0, limit: -1, remaining: -1 },
    }),
  'I 4.5 GET /workspaces': async ({ id }) =>
    expect((await callData<Workspace[]>('GET /workspaces')).map((each) => each.id)).toContain(id),
  'I 4.5 GET /workspaces/:id': async (it) => expect(await callData(`GET /workspaces/${it.id}`)).toEqual(it),
  'I 4.5 PATCH /workspaces/:id': async ({ id }) => {
    const body = { name: 'Spire', timezone: 'Europe/Berlin' }
    expect(await callData(`PATCH /workspaces/${id}`, { body })).toMatchObject(body)
    for (const bad of [{ name: '' }, { timezone: 'Mars/Olympus' }, { role: 'owner' }, { slug: 'x' }, { plan: 'gold' }])
      expect([bad, (await call(`PATCH /workspaces/${id}`, { body: bad })).status]).toEqual([bad, 422])
  },
  'I 1 workspace owns': async ({ id }) => {
    for (const what of ['connections', 'invitations'])
      expect([what, await callData(`GET /workspaces/${id}/${what}`)]).toEqual([what, []])
    expect(await callData(`GET /workspaces/${id}/members`)).toHaveLength(1)
    expect(await callData('GET /webhooks', { workspace: id })).toEqual([])
    expect(await callData('GET /content', { workspace: id })).toMatchObject({ data: [] })
    expect(await callData('GET /media', { workspace: id })).toMatchObject({ results: [] })
    expect((await tryCreate({})).status).toBe(201)
    expect(
      (await call('POST /content/text', { workspace: id, body: { connections: testStack.connections, text: 'a' } })).status,
    ).toBe(422)
  },
  'I 4.5 DELETE /workspaces/:id': async ({ id }) => {
    const reply = await call(`DELETE /workspaces/${id}`)
    expect([reply.status, reply.data]).toEqual([200, null])
    expect((await call(`GET /workspaces/${id}`)).status).toBe(404)
  },
})

describe('connections', () => {
  rows(() => callData<Connection[]>(`GET ${at}/connections`), {
    'I 4.5 GET /workspaces/:id/connections': (all) =>
      expect(all.map(({ slug }) => slug)).toEqual(expect.arrayContaining(testStack.connections)),
    'D 10 Connection': (all) =>
      expect(all.find(({ slug }) => slug === testStack.connections[0])).toEqual({
        id: id24,
        slug: testStack.connections[0],
        platform: 'bluesky',
        handle: expect.any(String),
        displayName: 'demo on bluesky',
        avatarUrl: expect.toBeOneOf([null, expect.any(String)]),
        status: expect.toBeOneOf(['active', 'expiring']),
        statusReason: null,
        statusCode: null,
        instanceUrl: null,
        scheduledChannels: expect.any(Number),
        lastPublishedAt: expect.toBeOneOf([null, instant]),
        capabilities: expect.any(Array),
        connectedAt: instant,
        expiresAt: expect.toBeOneOf([null, instant]),
      }),
    'D 10 slugs': async (all) => {
      for (const { slug, platform } of all) expect(slug).toMatch(new RegExp(`^${platform}-[a-z0-9._-]+$`))
      expect(new Set(all.map(({ slug }) => slug)).size).toBe(all.length)
      const { id } = await callData<Workspace>('POST /workspaces', { body: { name: 'Namesakes' } })
      const handles = ['Ada.B_1', 'ada.b_1', 'Ädä & Co', 'ADA.B_1']
      const slugs = await connectHandles(id, handles)
      expect(slugs).toEqual(['mastodon-ada.b_1', 'mastodon-ada.b_1-2', 'mastodon--d----co', 'mastodon-ada.b_1-3'])
      // Slugs need to be unique only within a workspace.
      const other = await callData<Workspace>('POST /workspaces', { body: { name: 'Others' } })
      expect(await connectHandles(other.id, ['ada.b_1'])).toEqual(['mastodon-ada.b_1'])
      for (const gone of [id, other.id]) await callData(`DELETE /workspaces/${gone}`)
    },
    'D 10 targets': async (all) => {
      const many = all.find(({ slug }) => slug === testStack.pagesConnection)
      expect(many?.targets).toEqual([
        { id: expect.stringMatching(/^urn:li:person:/), name: expect.any(String), kind: 'account' },
        { id: expect.stringMatching(/^urn:li:organization:/), name: 'company-demo', kind: 'page' },
        { id: expect.stringMatching(/^urn:li:organization:/), name: 'company-demo-shop', kind: 'page' },
      ])
      expect(many?.target?.id).toBe(many?.targets?.[0]?.id)
      const [first] = all.filter(({ targets }) => !targets)
      const reply = await call(`PATCH ${at}/connections/${first?.id}/pages`, { body: { targetId: 'nowhere' } })
      expect([reply.status, reply.error.code]).toEqual([422, 'target_unknown'])
    },
    'I 4.5 PATCH /workspaces/:id/connections/:connId/pages': async (all) => {
      const chooser = all.find(({ slug }) => slug === testStack.pagesConnection)
      const [own, page] = chooser?.targets ?? []
      const path = `${at}/connections/${chooser?.id}/pages`
      const chosen = await callData<Connection>(`PATCH ${path}`, { body: { targetId: page?.id } })
      expect([chosen.target, chosen.slug]).toEqual([{ id: page?.id, name: page?.name }, testStack.pagesConnection])
      const text = uniqueText('from the page')
      await waitUntilFinished((await createPost({ connections: [testStack.pagesConnection], text })).data.uploadId)
      expect(await findPlatformPosts(text)).toMatchObject([{ platform: 'linkedin', handle: page?.name }])
      await callData(`PATCH ${path}`, { body: { targetId: own?.id } })
      expect((await call(`PATCH ${path}`, { body: {} })).status).toBe(422)
      expect((await call(`PATCH ${at}/connections/${unknownId}/pages`, { body: { targetId: 'any' } })).status).toBe(404)
    },
  })

  row('I 1 no connect endpoint', async () => {
    const body = { platform: 'bluesky', handle: 'mallory' }
    const reply = await call(`POST ${at}/connections`, { body })
    expect([reply.status, reply.error.code]).toEqual([404, 'route_not_found'])
  })

  /** Accounts that are disconnected, revoked, or lose their token. */
  rows(
    async () => {
      const [leaving, lapsed, revoked] = await connectAccounts(uniqueText('going').replace(' ', '-'), 'bluesky', 'mastodon', 'x')
      if (!leaving || !lapsed || !revoked) throw new Error('three accounts must be connected')
      await callSimulator('DELETE', 'calls')
      return { leaving, lapsed, revoked }
    },
    {
      'D 10 disconnect stops': async ({ leaving }) => {
        const { uploadId } = (await createPost({ connections: [leaving.slug], scheduledAt: timeAfter(dayMs) })).data
        const before = await tokenCalls('bluesky')
        await callData(`DELETE ${at}/connections/${leaving.id}`)
        expect(await tokenCalls('bluesky')).toBe(before)
        expect((await readPost(uploadId)).channels[0]?.result.status).toBe('canceled')
      },
      'I 4.5 DELETE /workspaces/:id/connections/:connId': async ({ leaving }) => {
        const listed = (await callData<Connection[]>(`GET ${at}/connections`)).filter(({ status }) => status !== 'disconnected')
        expect(listed.map(({ id }) => id)).not.toContain(leaving.id)
        expect((await tryCreate({ connections: [leaving.slug] })).status).toBe(422)
      },
      'I 4.5 POST /workspaces/:id/connections/:connId/revoke': async ({ revoked }) => {
        expect(await callData(`POST ${at}/connections/${revoked.id}/revoke`)).toEqual({ revoked: true, reason: null })
        expect(await tokenCalls('x')).toBeGreaterThan(0)
        expect((await tryCreate({ connections: [revoked.slug] })).status).toBe(422)
      },
      'D 5 reconnect': async ({ lapsed }) => {
        await callSimulator('POST', 'tokens/revoke', { platform: 'mastodon', handle: lapsed.handle })
        const { uploadId } = (await createPost({ connections: [lapsed.slug] })).data
        const result = async () => (await readPost(uploadId)).channels[0]?.result
        // It is held until the account is connected again.
        await expect.poll(async () => (await result())?.waiting?.reason, { timeout: 30_000, interval: 250 }).toBe('reconnect')
        expect(await result()).toMatchObject({ status: 'pending', error: { code: 'reconnect_needed', action: 'reconnect' } })
        const reply = await createPost({ connections: [lapsed.slug] })
        expect([reply.status, reply.error.code, reply.error.action]).toEqual([422, 'connection_needs_reconnect', 'reconnect'])
        await callData(`DELETE ${at}/connections/${lapsed.id}`)
      },
    },
  )

  row('D 10 capabilities', async () => {
    const [connection] = await callData<Connection[]>(`GET ${at}/connections`)
    const found = await callData<Capabilities>(`GET /connections/${connection?.id}/capabilities`)
    expect(found).toMatchObject({
      connectionId: connection?.id,
      platform: connection?.platform,
      isCurrent: true,
      differs: expect.any(Array),
      text: { max: expect.any(Number) },
      can: { firstComment: expect.any(Boolean), thread: expect.any(Boolean) },
      choices: expect.any(Object),
    })
    expect((await call('GET /connections/0123456789abcdef01234567/capabilities')).error?.code).toBe('connection_not_found')
  })

  row('D 10 GET /platforms', async () => {
    const all = await callData<PlatformInfo[]>('GET /platforms')
    const bluesky = all.find(({ platform }) => platform === 'bluesky')
    expect(bluesky).toMatchObject({
      name: 'Bluesky',
      formats: expect.arrayContaining(['text', 'photo']),
      text: { max: 300 },
      settings: expect.any(Object),
      metrics: expect.any(Array),
      connect: { available: true },
    })
  })
})

describe('people', () => {
  rows(() => callData<Invitation>(`POST ${at}/invitations`, { body: { email: email('guest'), role: 'editor' } }), {
    'I 4.5 POST /workspaces/:id/invitations': async (it) => {
      expect(it.status).toBe('pending')
      for (const body of [{ email: 'nobody', role: 'editor' }, { email: email('a') }, { email: email('a'), role: 'king' }])
        expect((await call(`POST ${at}/invitations`, { body })).status).toBe(422)
    },
    'D 10 Invitation': (it) =>
      expect(it).toEqual({
        id: id24,
        email: expect.stringContaining('guest'),
        role: 'editor',
        status: 'pending',
        mail: expect.any(String),
        // The stack sends mail, so the link is for the invited person alone.
        link: null,
        invitedBy: expect.any(String),
        expiresAt: instant,
        createdAt: instant,
      }),
    'I 4.5 GET /workspaces/:id/invitations': async ({ id }) =>
      expect((await callData<Invitation[]>(`GET ${at}/invitations`)).map((each) => each.id)).toContain(id),
    'I 4.5 DELETE /workspaces/:id/invitations/:inviteId': async ({ id }) => {
      expect((await call(`DELETE ${at}/invitations/${id}`)).data).toBeNull()
      expect((await callData<Invitation[]>(`GET ${at}/invitations`)).map((each) => each.id)).not.toContain(id)
    },
  })

  rows(
    async () => {
      const address = email('member')
      const person = await createPerson(address)
      await inviteAndAccept(testStack.workspaceId, address, 'viewer')
      return { ...person, email: address, path: `${at}/members/${person.personId}` }
    },
    {
      'I 4.5 GET /workspaces/:id/members': async ({ personId }) =>
        expect((await callData<{ userId: string }[]>(`GET ${at}/members`)).map(({ userId }) => userId)).toContain(personId),
      'D 10 Member': async (it) => {
        const members = await callData<{ userId: string }[]>(`GET ${at}/members`)
        expect(members.find(({ userId }) => userId === it.personId)).toEqual({
          userId: it.personId,
          email: it.email,
          name: expect.any(String),
          role: 'viewer',
          joinedAt: instant,
        })
      },
      'D 1 403': async ({ apiKey }) => {
        const reply = await call('POST /content/text', { key: apiKey, body: { connections: testStack.connections, text: 'a' } })
        expect([reply.status, reply.error.code]).toEqual([403, 'role_forbidden'])
      },
      'D 3 key reach': async ({ apiKey, workspaceId }) => {
        for (const workspace of [testStack.workspaceId, workspaceId])
          expect((await call('GET /content', { key: apiKey, workspace })).status).toBe(200)
      },
      'I 4.5 PATCH /workspaces/:id/members/:userId': async ({ path, apiKey }) => {
        expect(await callData(`PATCH ${path}`, { body: { role: 'admin' } })).toMatchObject({ role: 'admin' })
        expect((await call(`GET ${at}/api-keys`, { key: apiKey })).status).toBe(200)
      },
      'D 3 no higher role': async ({ path, apiKey }) => {
        const asOwner = { body: { role: 'owner' }, key: apiKey }
        expect((await call(`PATCH ${path}`, asOwner)).error?.code).toBe('role_forbidden')
        const invite = { body: { email: email('king'), role: 'owner' }, key: apiKey }
        expect((await call(`POST ${at}/invitations`, invite)).error?.code).toBe('role_forbidden')
        expect((await call(`PATCH ${at}`, { body: { plan: 'free' }, key: apiKey })).error?.code).toBe('role_forbidden')
      },
      'I 4.5 DELETE /workspaces/:id/members/:userId': async ({ path }) => {
        const reply = await call(`DELETE ${path}`)
        expect([reply.status, reply.data]).toEqual([200, null])
        expect((await call(`DELETE ${path}`)).status).toBe(404)
      },
      'D 3 removed member': async ({ apiKey }) => {
        expect((await call('GET /content', { key: apiKey })).status).toBe(404)
        expect((await call(`GET /content/${await createDraft()}`, { key: apiKey })).status).toBe(404)
      },
    },
  )
})

import { endpoints, roles, type Endpoint, type Role } from '@carillon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row } from '../coverage/rows.ts'
import { createOwnedResources, deleteOwnedResources, type OwnedResources } from '../matrix/owned-resources.ts'
import { bodyFor, pathFor } from '../matrix/endpoint-requests.ts'
import { call, callData } from '../support/call.ts'
import { inviteAndAccept } from '../support/invite-and-accept.ts'
import { queryDatabase } from '../support/query-database.ts'
import { testStack } from '../test-stack.ts'

let owned: OwnedResources
beforeAll(async () => {
  owned = await createOwnedResources()
})
afterAll(() => deleteOwnedResources(owned))

const named = (list: readonly Endpoint[]) => list.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
const asOtherTenant = { key: testStack.otherApiKey, workspace: testStack.otherWorkspaceId }

/** No key has this right unless it was named, so these routes are asked with sessions: `interface/approvals.test.ts`. */
const isNamedOnly = ({ scope }: Endpoint) => scope === 'content:approve'

function privateWordsIn(text: string): string[] {
  return owned.privateWords.filter((mark) => text.includes(mark))
}

describe('guarantee: an id of another workspace looks unknown, on every route', () => {
  const withIds = endpoints.filter(({ path }) => path.includes(':'))

  test.each(named(withIds))('%s', async (_name, endpoint) => {
    const reply = await call(`${endpoint.method} ${pathFor(endpoint, owned.ids)}`, { ...asOtherTenant, ...bodyFor(endpoint, []) })
    const [status, code] = isNamedOnly(endpoint) ? [403, /^scope_missing$/] : [404, /_not_found$/]
    expect([reply.status, reply.error?.code]).toEqual([status, expect.stringMatching(code)])
    expect(privateWordsIn(reply.text)).toEqual([])
  })

  // A path of the caller's own workspace with the id of another workspace's resource.
  const below = withIds.filter(({ path }) => /^\/workspaces\/:id\/.*:/.test(path))
  test.each(named(below))('%s in the caller’s own workspace', async (_name, endpoint) => {
    const ids = { ...owned.ids, '/workspaces': testStack.otherWorkspaceId }
    const reply = await call(`${endpoint.method} ${pathFor(endpoint, ids)}`, { ...asOtherTenant, ...bodyFor(endpoint, []) })
    expect(reply.status).toBe(404)
    expect(privateWordsIn(reply.text)).toEqual([])
  })

  test.each(named(endpoints.filter(({ workspace }) => workspace === 'header')))(
    '%s with the id of another workspace in the header',
    async (_name, endpoint) => {
      const options = { key: testStack.otherApiKey, workspace: testStack.workspaceId, ...bodyFor(endpoint, ['x']) }
      const reply = await call(`${endpoint.method} ${pathFor(endpoint, owned.ids)}`, options)
      expect([reply.status, reply.error?.code]).toEqual([404, 'workspace_not_found'])
    },
  )

  test.each(named(endpoints.filter(({ id }) => id.includes('.bulk'))))('%s', async (_name, endpoint) => {
    const ids = [owned.ids['/content'] ?? '', owned.ids['/media'] ?? '']
    const result = await callData<{ succeeded: number; failed: unknown[] }>(`POST ${endpoint.path}`, {
      ...asOtherTenant,
      ...bodyFor(endpoint, ids),
    })
    expect([result.succeeded, result.failed.length]).toEqual([0, 2])
  })

  test('GET /content/status', async () => {
    const reply = await call(`GET /content/status?requestId=${owned.ids['/content']}`, asOtherTenant)
    expect([reply.status, reply.error.code]).toEqual([404, 'post_not_found'])
  })

  test('lists contain nothing of another workspace', async () => {
    const days = 'from=2020-01-01&to=2040-01-01'
    const lists = [
      '/content?archived=any',
      `/content/calendar?${days}`,
      '/media',
      '/media/tags',
      '/media/uploads',
      '/analytics/posts',
    ]
    for (const path of [
      ...lists,
      '/webhooks',
      '/account/webhooks',
      '/queues',
      '/approval-links',
      '/events',
      '/analytics',
      '/analytics/export',
      '/analytics/followers',
      '/workspaces',
      '/developer-apps',
      `/workspaces/${testStack.otherWorkspaceId}/reports`,
    ])
      expect([path, privateWordsIn((await call(`GET ${path}`, asOtherTenant)).text)]).toEqual([path, []])
  })

  test('media and connections of another workspace cannot be used', async () => {
    const body = { connections: testStack.connections.slice(0, 1), medias: [owned.ids['/media']], saveDraft: true }
    expect((await call('POST /content/photos', { ...asOtherTenant, body })).status).toBe(422)
  })

  test('and afterwards everything still exists', async () => {
    for (const path of [
      `/content/${owned.ids['/content']}`,
      `/media/${owned.ids['/media']}`,
      `/webhooks/${owned.ids['/webhooks']}`,
      `/queues/${owned.ids['/queues']}`,
    ])
      expect([path, (await call(`GET ${path}`)).status]).toEqual([path, 200])
  })
})

/** The lowest role that may call an endpoint. It is written down here again, because the table in the contract is what is tested. */
function lowestRole({ method, path }: Endpoint): Role {
  if (/^DELETE \/workspaces\/:id$|\/export$/.test(`${method} ${path}`) && path.startsWith('/workspaces')) return 'owner'
  if (/\/(api-keys|invitations|audit)/.test(path)) return 'admin'
  if (path === '/workspaces/:id/members/me') return 'viewer'
  // Each member makes and revokes the address of their own feed.
  if (path === '/calendar-feed') return 'viewer'
  // Who makes a link lets an account into the workspace.
  if (path.startsWith('/connect-links')) return 'admin'
  // They decide with which app accounts are let in.
  if (path.startsWith('/developer-apps')) return 'admin'
  // Who writes posts may show a client what became of them. The list has the links.
  if (path.startsWith('/workspaces/:id/reports')) return 'editor'
  // Whoever may read a post may say something about it.
  if (path.startsWith('/content/:id/comments')) return 'viewer'
  // Each member reads their own notices, and sees the dates of a rule that is stored nowhere.
  if (path === '/notices/read' || path === '/me/notices' || path === '/series/preview') return 'viewer'
  // Each member ends what programs may do for them.
  if (path === '/workspaces/:id/grants/:grantId') return 'viewer'
  // The answers contain addresses to which parts can be sent.
  if (path.startsWith('/media/uploads')) return 'editor'
  if (method === 'GET' || path === '/content/validate') return 'viewer'
  // It moves posts and does not change the queue.
  if (path === '/queues/:id/reflow') return 'editor'
  return /^\/(workspaces|webhooks|queues)/.test(path) ? 'admin' : 'editor'
}

row(
  'D 3 roles',
  async () => {
    const { id } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Matrix' } })
    await inviteAndAccept(id, 'other@example.com', 'viewer')
    const members = await callData<{ userId: string; role: Role }[]>(`GET /workspaces/${id}/members`)
    const guest = members.find(({ role }) => role === 'viewer')?.userId ?? ''
    // Not by invitation: only a few mails may go to one address.
    const join = (role: Role) => queryDatabase('insert into member values ($1, $2, $3, now())', [id, guest, role])
    // The endpoint that deletes the workspace is called last.
    const asked = endpoints
      .filter((endpoint) => endpoint.workspace !== 'none' && !isNamedOnly(endpoint))
      .toSorted((one, other) => weight(one) - weight(other))
    for (const role of roles.toReversed()) {
      await callData(`PATCH /workspaces/${id}/members/${guest}`, { body: { role } })
      for (const endpoint of asked) {
        const options = { key: testStack.otherApiKey, workspace: id, ...bodyFor(endpoint, ['x']) }
        const reply = await call(`${endpoint.method} ${pathFor(endpoint, { '/workspaces': id })}`, options)
        const isForbidden = reply.error?.code === 'role_forbidden'
        const should = roles.indexOf(role) > roles.indexOf(lowestRole(endpoint))
        expect([role, endpoint.id, isForbidden]).toEqual([role, endpoint.id, should])
        expect([endpoint.id, reply.status < 500 || reply.status === 503]).toEqual([endpoint.id, true])
        if (endpoint.id === 'workspaces.leave') await join(role)
      }
    }
    expect((await call(`GET /workspaces/${id}`)).status).toBe(404)
  },
  120_000,
)

function weight({ id }: Endpoint): number {
  return id === 'workspaces.remove' ? 1 : 0
}

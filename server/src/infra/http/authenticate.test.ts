import { endpoints, endpointsBesideApi, roles, type Endpoint, type Role } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { simulatedAccounts } from '../../features/connections/connect/simulated.routes.ts'
import { pictures } from '../../features/media/pictures/picture.routes.ts'
import { Problem } from '../problem/problem.ts'
import type { Caller, HttpHooks } from './http-hooks.ts'
import { authenticate } from './authenticate.ts'

let caller: Caller
const hooks: HttpHooks = {
  claimedIdentity: () => null,
  findCaller: async () => caller,
  challenge: () => null,
  findMoved: async () => null,
  recordChange: async () => {},
}

const all = [...endpoints, ...endpointsBesideApi, simulatedAccounts, ...Object.values<Endpoint>(pictures)]
const workspaceId = '6735f0c29b1e8a0012ab34cd'

function setCaller(role: Role, more: Partial<Caller> = {}): void {
  const membership = { role, plan: 'business' as const, approval: 'none' as const }
  const key = {
    apiKeyId: 'k',
    personId: 'p',
    keyWorkspaceId: workspaceId,
    workspaceOnly: false,
    scopes: null,
    expiresAt: null,
    posting: null,
    isAgent: false,
  }
  caller = { ...key, membership, ...more }
}

/** The code of the refusal, or null when the request is allowed. */
async function findRefusal(endpoint: Endpoint): Promise<string | null> {
  const request = { headers: { authorization: 'Bearer sk_x', 'x-workspace-id': workspaceId }, params: { id: workspaceId } }
  try {
    await authenticate(hooks, endpoint, request as unknown as FastifyRequest)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

/** The lowest role for the endpoints that differ from the usual rule. Written by hand, so that the contract is tested against it. */
const lowest: Readonly<Record<string, Role>> = {
  'accountWebhooks.create': 'viewer',
  'accountWebhooks.update': 'viewer',
  'accountWebhooks.remove': 'viewer',
  'accountWebhooks.rotateSecret': 'viewer',
  'accountWebhooks.test': 'viewer',
  'me.update': 'viewer',
  'calendarFeed.create': 'viewer',
  'calendarFeed.remove': 'viewer',
  'grants.end': 'viewer',
  'comments.create': 'viewer',
  'comments.update': 'viewer',
  'comments.remove': 'viewer',
  'notices.markRead': 'viewer',
  'notices.updateSettings': 'viewer',
  'series.approve': 'admin',
  'content.approve': 'admin',
  'content.requestChanges': 'admin',
  'workspaces.create': 'viewer',
  'workspaces.leave': 'viewer',
  'workspaces.remove': 'owner',
  'workspaces.export': 'owner',
  'workspaces.apiKeys': 'admin',
  'workspaces.invitations': 'admin',
  'workspaces.audit': 'admin',
  'reports.list': 'editor',
  'developerApps.list': 'admin',
}

function expectedRole({ id, scope }: Endpoint): Role {
  const [subject, verb] = scope.split(':')
  const usual =
    verb === 'read' ? 'viewer' : ['webhooks', 'workspaces', 'connections'].includes(subject ?? '') ? 'admin' : 'editor'
  return lowest[id] ?? usual
}

describe('guarantee: a role is allowed exactly the endpoints of the role table', () => {
  test.each(all.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async (_id, endpoint) => {
    expect(endpoint.role).toBe(expectedRole(endpoint))
    for (const role of roles) {
      // Approving is the one scope that must be named.
      setCaller(role, endpoint.scope === 'content:approve' ? { scopes: ['content:approve'] } : {})
      // An endpoint that belongs to no workspace needs no role.
      const isAllowed = endpoint.workspace === 'none' || roles.indexOf(role) <= roles.indexOf(endpoint.role)
      expect([role, await findRefusal(endpoint)]).toEqual([role, isAllowed ? null : 'role_forbidden'])
    }
  })
})

test('guarantee: a caller who is not a member does not learn that the workspace exists', async () => {
  setCaller('owner', { membership: null })
  const seen = await Promise.all(all.filter(({ workspace }) => workspace !== 'none').map(findRefusal))
  expect(new Set(seen)).toEqual(new Set(['workspace_not_found']))
})

test('guarantee: the scopes of a key limit it, whatever role its creator has', async () => {
  setCaller('owner', { scopes: ['media:read'] })
  const seen = await Promise.all(all.filter(({ scope }) => scope !== 'media:read').map(findRefusal))
  expect(new Set(seen)).toEqual(new Set(['scope_missing']))
})

test('guarantee: a key that works in one workspace only reaches nothing that is about all workspaces of its person', async () => {
  setCaller('owner', { workspaceOnly: true })
  const across = all.filter(({ workspace, path }) => workspace === 'none' && /^\/(me|workspaces|account)\b/.test(path))
  expect(across.map(({ id }) => id)).toEqual(expect.arrayContaining(['me.get', 'workspaces.list', 'accountWebhooks.create']))
  expect(new Set(await Promise.all(across.map(findRefusal)))).toEqual(new Set(['scope_missing']))
})

/** They are about no workspace; account-webhook.test.ts finds them in the log of the account. */
const inLogOfAccount = new Set(['accountWebhooks.remove'])

test('every change is written to the audit log, and nothing that only reads is', () => {
  const inWorkspaces = all.filter(({ id }) => !inLogOfAccount.has(id))
  const odd = inWorkspaces.filter(
    ({ method, audit }) => (method === 'DELETE') > (audit !== null) || (method === 'GET' && audit !== null),
  )
  expect(odd.map(({ id }) => id)).toEqual([])
})

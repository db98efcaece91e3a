import { endpoints, endpointsBesideApi, roles, type Endpoint, type Role } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { simulatedAccounts } from '../features/connections/connect/simulated.routes.ts'
import { pictures } from '../features/media/pictures/picture.routes.ts'
import type { Context } from '../context.ts'
import { Problem } from '../infra/problem/problem.ts'
import { authenticate } from '../infra/http/authenticate.ts'
import { httpHooks } from './http-hooks.ts'
import type { Principal } from '../infra/http/principal.ts'

const session = vi.hoisted(() => ({ holder: undefined as unknown, lookups: 0 }))
vi.mock('../features/people/find-session-holder.ts', () => ({
  findSessionHolder: async () => {
    session.lookups++
    return session.holder
  },
}))

const all = [...endpoints, ...endpointsBesideApi, simulatedAccounts, ...Object.values<Endpoint>(pictures)]
const workspaceId = '6735f0c29b1e8a0012ab34cd'
const publicUrl = 'https://carillon.example'
const ctx = { config: { publicUrl } } as Context

async function ask({ method, ...endpoint }: Endpoint, headers: Record<string, string>): Promise<Principal | string> {
  const request = {
    method,
    headers: { cookie: 'other=1; __Host-carillon.session_token=x.y', 'x-workspace-id': workspaceId, ...headers },
    params: { id: workspaceId },
  }
  try {
    return await authenticate(httpHooks(ctx), { method, ...endpoint }, request as unknown as FastifyRequest)
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

function hold(role: Role): void {
  session.holder = { personId: 'p', membership: { role, plan: 'business', approval: 'none' } }
}

describe('guarantee: another site changes nothing with somebody’s session', () => {
  const changes = all.filter(({ method }) => method !== 'GET')
  test.each(changes.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async (_id, endpoint) => {
    hold('owner')
    session.lookups = 0
    for (const origin of ['https://evil.example', 'http://carillon.example', 'https://carillon.example:8443', 'null'])
      expect(await ask(endpoint, { origin })).toBe('origin_refused')
    expect(await ask(endpoint, {})).toBe('origin_refused')
    expect(session.lookups).toBe(0)
  })
})

test('the name of the scheme is not case-sensitive, and nothing may follow the key', async () => {
  const [first] = all
  if (!first) throw new Error('there is no endpoint')
  // A key with a wrong checksum is refused without a database, which shows that it was read.
  for (const authorization of ['Bearer sk_x', 'bearer sk_x', 'BEARER  sk_x'])
    expect(await ask(first, { authorization })).toBe('api_key_invalid')
  for (const authorization of ['Bearer', 'Bearer ', 'Basic sk_x', 'Bearer sk_x junk', 'Bearersk_x', ''])
    expect([authorization, await ask(first, { authorization })]).toEqual([authorization, 'api_key_missing'])
})

describe('guarantee: a session may do what the role of its person may, and nothing more', () => {
  test.each(all.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async (_id, endpoint) => {
    for (const role of roles) {
      hold(role)
      const may = endpoint.workspace === 'none' || roles.indexOf(role) <= roles.indexOf(endpoint.role)
      const seen = await ask(endpoint, { origin: publicUrl })
      expect([role, typeof seen === 'string' ? seen : seen.apiKeyId]).toEqual([role, may ? null : 'role_forbidden'])
    }
  })
})

test('guarantee: an expired session, and one without membership, see nothing', async () => {
  session.holder = undefined
  const over = await Promise.all(all.map((endpoint) => ask(endpoint, { origin: publicUrl })))
  expect(new Set(over)).toEqual(new Set(['session_ended']))
  session.holder = { personId: 'p', membership: null }
  const inside = all.filter(({ workspace }) => workspace !== 'none')
  const strange = await Promise.all(inside.map((endpoint) => ask(endpoint, { origin: publicUrl })))
  expect(new Set(strange)).toEqual(new Set(['workspace_not_found']))
})

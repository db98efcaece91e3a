import { describe, expect, test } from 'vitest'
import type { Connector } from '../connector.ts'
import { createHttp } from '../create-http.ts'
import { NotConnected } from '../http.ts'
import { clientFor, draftFor, newHandle, openActor, publish, seenPosts, send, stage } from './actor.ts'
import type { Fault, World } from './world.ts'

const nobody = { id: '0', handle: 'nobody' }

/** Guarantee: every refusal becomes the kind that leads to the right next step. */
export function testRefusals(connector: Connector, world: World): void {
  describe('refusals', () => {
    const refusedBy = async (fault: Fault) => {
      const actor = await openActor(connector, world)
      const draft = draftFor(actor)
      const staged = await stage(actor, draft)
      await world.failNext(actor.client.account.handle, 'submit', fault)
      const sending = send(actor, { draft, staged, handle: newHandle() })
      return { sending, seen: () => seenPosts(actor, draft.text) }
    }

    test('401 is auth', async () => {
      const { sending, seen } = await refusedBy({ kind: 'status', status: 401 })
      await expect(sending).rejects.toMatchObject({ name: 'PlatformError', kind: 'auth' })
      expect(await seen()).toHaveLength(0)
    })

    test('429 is limited, for as long as the platform says', async () => {
      const { sending } = await refusedBy({ kind: 'status', status: 429, retryAfterSeconds: 7 })
      await expect(sending).rejects.toMatchObject({ name: 'PlatformError', kind: 'limited', retryAfterMs: 7000 })
    })

    test.for([500, 502, 503, 504])('%i leaves the outcome unknown', async (status) => {
      const { sending } = await refusedBy({ kind: 'status', status })
      await expect(sending).rejects.toMatchObject({ name: 'PlatformError', kind: 'unknown' })
    })

    test('no connection means certainly not sent', async () => {
      const transport = async () => {
        throw new NotConnected('refused')
      }
      const http = createHttp({ ...connector, transport, origin: world.origin(), credentials: null, nowMs: Date.now })
      const call = connector.account({ http, account: nobody, credentials: { accessToken: '' } })
      await expect(call).rejects.toMatchObject({ name: 'PlatformError', kind: 'unavailable' })
    })

    test('an expired token is auth', async () => {
      const { sending } = await refusedBy({ kind: 'expired_token' })
      await expect(sending).rejects.toMatchObject({ name: 'PlatformError', kind: 'auth' })

      const actor = await openActor(connector, world)
      await world.expireToken(actor.client.account.handle)
      await expect(publish(actor, draftFor(actor))).rejects.toMatchObject({ name: 'PlatformError', kind: 'auth' })
    })

    test.runIf(connector.auth.renew !== undefined)('a renewed token works', async () => {
      const actor = await openActor(connector, world)
      const { account, credentials, http } = actor.client
      // Where the token is its own refresh token, it can be renewed only while it lives.
      if (credentials.refreshToken !== undefined) await world.expireToken(account.handle)
      const renewed = await connector.auth.renew?.({ http, credentials, app: world.app, nowMs: Date.now() })
      if (!renewed) throw new Error('There is nothing to renew with.')
      expect(renewed.expiresAtMs).toBeGreaterThan(Date.now())
      const client = clientFor(connector, world, account, renewed)
      await expect(publish({ ...actor, client }, draftFor(actor))).resolves.toMatchObject({ state: 'published' })
    })
  })
}

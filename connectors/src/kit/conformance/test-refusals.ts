import { describe, expect, test } from 'vitest'
import type { App } from '../auth.ts'
import type { Connector } from '../connector.ts'
import { createHttp } from '../create-http.ts'
import { type Http, NotConnected } from '../http.ts'
import { clientFor, draftFor, newHandle, openTestAccount, publish, findVisiblePosts, send, stage } from './test-account.ts'
import type { Fault, TestPlatform } from './test-platform.ts'

const unknownAccount = { id: '0', handle: 'unknown' }

/** Guarantee: every refusal becomes the error kind that makes the server do the right thing next. */
export function testRefusals(connector: Connector, testPlatform: TestPlatform): void {
  describe('refusals', () => {
    /** Where every server has apps of its own, one is registered there. */
    const appAt = async (http: Http): Promise<App> => {
      const { auth } = connector
      if (auth.kind !== 'oauth2' || !auth.register) return testPlatform.app
      return auth.register(http, {
        name: 'Carillon',
        redirectUrl: 'https://carillon.example/',
        website: 'https://carillon.example',
      })
    }

    const refusedBy = async (fault: Fault) => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount)
      const staged = await stage(testAccount, draft)
      await testPlatform.failNext(testAccount.client.account.handle, 'submit', fault)
      const sending = send(testAccount, { draft, staged, handle: newHandle() })
      return { sending, seen: () => findVisiblePosts(testAccount, draft.text) }
    }

    test('401 is auth', async () => {
      const { sending, seen } = await refusedBy({ kind: 'status', status: 401 })
      await expect(sending).rejects.toMatchObject({ name: 'PlatformError', kind: 'auth' })
      expect(await seen()).toHaveLength(0)
    })

    test('429 is limited, with the wait that the platform names', async () => {
      const { sending } = await refusedBy({ kind: 'status', status: 429, retryAfterSeconds: 7 })
      await expect(sending).rejects.toMatchObject({ name: 'PlatformError', kind: 'limited', retryAfterMs: 7000 })
    })

    test('a page of a filter in front of the platform is no refusal of the post', async () => {
      const body = '<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head></html>'
      // The post goes out as soon as the filter lets it through.
      const { sending } = await refusedBy({ kind: 'status', status: 403, body })
      expect(['published', 'processing']).toContain((await sending).state)
    })

    test.for([500, 502, 503, 504])('%i leaves the outcome unknown', async (status) => {
      const { sending } = await refusedBy({ kind: 'status', status })
      await expect(sending).rejects.toMatchObject({ name: 'PlatformError', kind: 'unknown' })
    })

    test('no connection is unavailable: nothing was sent', async () => {
      const transport = async () => {
        throw new NotConnected('refused')
      }
      const http = createHttp({ ...connector, transport, origin: testPlatform.origin(), credentials: null, nowMs: Date.now })
      const call = connector.account({ http, account: unknownAccount, credentials: { accessToken: '' } })
      await expect(call).rejects.toMatchObject({ name: 'PlatformError', kind: 'unavailable' })
    })

    test('an expired token is auth', async () => {
      const { sending } = await refusedBy({ kind: 'expired_token' })
      await expect(sending).rejects.toMatchObject({ name: 'PlatformError', kind: 'auth' })

      const testAccount = await openTestAccount(connector, testPlatform)
      await testPlatform.expireToken(testAccount.client.account.handle)
      await expect(publish(testAccount, draftFor(testAccount))).rejects.toMatchObject({ name: 'PlatformError', kind: 'auth' })
    })

    test.runIf(connector.auth.renew !== undefined)('a renewed token works', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const { account, credentials, http } = testAccount.client
      // A token without a refresh token can be renewed only before it expires.
      if (credentials.refreshToken !== undefined) await testPlatform.expireToken(account.handle)
      const renewed = await connector.auth.renew?.({ http, credentials, app: await appAt(http), nowMs: Date.now() })
      if (!renewed) throw new Error('renew() returned no credentials.')
      expect(renewed.expiresAtMs).toBeGreaterThan(Date.now())
      const client = clientFor(connector, testPlatform, account, renewed)
      await expect(publish({ ...testAccount, client }, draftFor(testAccount))).resolves.toMatchObject({ state: 'published' })
    })
  })
}

import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { App, Credentials, OAuth2 } from '../auth.ts'
import type { Connector } from '../connector.ts'
import { createHttp } from '../create-http.ts'
import { authorizeUrl, exchangeCode, revokeCredentials, scopesToAsk } from '../oauth2.ts'
import { clientFor, draftFor, publish } from './test-account.ts'
import type { TestPlatform } from './test-platform.ts'

const redirectUrl = 'https://carillon.example/callback'

/** Guarantee: once a person has authorized the app, the account can publish. */
export function testConnecting(connector: Connector, testPlatform: TestPlatform): void {
  const { auth, classify } = connector

  describe('connecting', () => {
    test('a person connects, the account or page they choose can publish, and the permission can be given back', async () => {
      const name = `person-${randomUUID().slice(0, 8)}`
      const http = createHttp({
        transport: testPlatform.transport,
        origin: testPlatform.origin(),
        credentials: null,
        classify,
        nowMs: Date.now,
      })
      const signIn = async () => {
        const { account, credentials } = await testPlatform.connect(name)
        return { identifier: account.handle, password: credentials.extra?.password ?? '' }
      }
      const { credentials, app } =
        auth.kind === 'oauth2'
          ? await authorize(auth, name)
          : { credentials: await auth.open(http, await signIn(), Date.now()), app: testPlatform.app }
      const clientWithoutAccount = clientFor(connector, testPlatform, { id: '', handle: '' }, credentials)
      const [page] = auth.kind === 'oauth2' ? ((await auth.targets?.(clientWithoutAccount.http)) ?? []) : []
      const found = page ?? (await connector.account(clientWithoutAccount))
      const client = clientFor(connector, testPlatform, found, credentials)
      await expect(publish({ client, connector, testPlatform }, draftFor({ connector, testPlatform }))).resolves.toMatchObject({
        state: 'published',
      })
      if (auth.kind === 'oauth2' && (await revokeCredentials(auth, client.http, app, credentials))) {
        await expect(connector.account(client)).rejects.toMatchObject({ name: 'PlatformError', kind: 'auth' })
      }

      async function authorize(oauth2: OAuth2, person: string): Promise<{ credentials: Credentials; app: App }> {
        const website = 'https://carillon.example'
        const app = (await oauth2.register?.(http, { name: 'Carillon', redirectUrl, website })) ?? testPlatform.app
        const codeVerifier = oauth2.pkce ? randomUUID() + randomUUID() : null
        const codeChallenge = codeVerifier && createHash('sha256').update(codeVerifier).digest('base64url')
        const common = { auth: oauth2, origin: testPlatform.origin(), app, redirectUrl, codeChallenge }
        const url = authorizeUrl({ ...common, state: 'state', isVetted: true })
        const code = await testPlatform.authorize(url, person)
        const grant = await exchangeCode({ auth: oauth2, http, app, redirectUrl, code, codeVerifier, nowMs: Date.now() })
        expect(grant.scopes ?? scopesToAsk(oauth2, true)).toEqual(scopesToAsk(oauth2, true))
        return { credentials: grant.credentials, app }
      }
    })
  })
}

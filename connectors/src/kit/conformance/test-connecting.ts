import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { App, Credentials, OAuth2 } from '../auth.ts'
import type { Client, Connector } from '../connector.ts'
import { createHttp } from '../create-http.ts'
import { authorizeUrl, exchangeCode, revokeCredentials, scopesToAsk } from '../oauth2.ts'
import { clientFor, draftFor, publish } from './test-account.ts'
import type { TestPlatform } from './test-platform.ts'

const redirectUrl = 'https://carillon.example/callback'

/** Guarantee: once a person has authorized the app, the account can publish, until the permission is given back. */
export function testConnecting(connector: Connector, testPlatform: TestPlatform): void {
  const { auth, classify } = connector

  function openHttp() {
    const { transport } = testPlatform
    return createHttp({ transport, origin: testPlatform.origin(), credentials: null, classify, nowMs: Date.now })
  }

  async function signIn(name: string): Promise<Credentials> {
    if (auth.kind === 'oauth2') return (await authorize(auth, name)).credentials
    return auth.open(openHttp(), testPlatform.fieldsOf(await testPlatform.connect(name)), Date.now())
  }

  async function authorize(oauth2: OAuth2, person: string): Promise<{ credentials: Credentials; app: App }> {
    const http = openHttp()
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

  /** A client of the account, or of the first page that its owner can choose. */
  async function open(credentials: Credentials): Promise<Client> {
    const unnamed = clientFor(connector, testPlatform, { id: '', handle: '' }, credentials)
    const [page] = auth.kind === 'oauth2' ? ((await auth.targets?.(unnamed.http)) ?? []) : []
    return clientFor(connector, testPlatform, page ?? (await connector.account(unnamed)), credentials)
  }

  const newName = () => `person-${randomUUID().slice(0, 8)}`

  describe('connecting', () => {
    test('a person connects, and the account or page they choose can publish', async () => {
      const client = await open(await signIn(newName()))
      await expect(publish({ client, connector, testPlatform }, draftFor({ connector, testPlatform }))).resolves.toMatchObject({
        state: 'published',
      })
    })

    const revocable = auth.kind === 'oauth2' && auth.revokeUrl !== null ? [auth] : []
    test.for(revocable)('a permission can be given back', async (oauth2) => {
      const { credentials, app } = await authorize(oauth2, newName())
      const client = await open(credentials)
      await revokeCredentials(oauth2, client.http, app, credentials)
      await expect(connector.account(client)).rejects.toMatchObject({ name: 'PlatformError', kind: 'auth' })
    })
  })
}

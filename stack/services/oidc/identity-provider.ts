import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type IdentityProvider = { issuer: string; close(): Promise<void> }

/**
 * A real identity provider. It accepts any login; the address is `<login>@example.com`, which is verified unless the login begins with
 * `unverified-`.
 */
export async function startIdentityProvider({
  port = 0,
  redirectUri,
}: {
  port?: number
  redirectUri: string
}): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Loaded here, because only few of those who use this folder need it.
  const { Provider } = await import('oidc-provider')
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'carillon',
        client_secret: 'a secret of the provider',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    features: { devInteractions: { enabled: true } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: async (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...claimsOf(id) }),
    }),
    cookies: { keys: ['test'] },
  })
  server.on('request', provider.callback())
  return { issuer, close: () => new Promise((done) => server.close(() => done()).closeAllConnections()) }
}

function claimsOf(login: string) {
  const isUnverified = login.startsWith('unverified-')
  const name = login.replace(/^unverified-/, '')
  return { email: `${name}@example.com`, email_verified: !isUnverified, name }
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

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

/** Logs in at the provider and gives consent, form by form. Returns the address to which the provider redirects the person. */
export async function logIn(authorizeUrl: string, login: string, backTo: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = authorizeUrl
  let form: Record<string, string> | null = null
  for (let step = 0; step < 12; step++) {
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    if (location) {
      url = new URL(location, url).href
      form = null
      if (url.startsWith(backTo)) return url
      continue
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
    if (!action) throw new Error(`there is no form at ${url}: ${response.status} ${page.slice(0, 300)}`)
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
    url = new URL(action, url).href
    form = { prompt, ...(prompt === 'login' && { login, password: 'any' }) }
  }
  throw new Error('the identity provider redirected too many times')
}

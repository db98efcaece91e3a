import type { GenericOAuthConfig } from 'better-auth/plugins'
import type { OidcConfig } from '../../config.ts'

/** Names the provider in addresses: `/auth/callback/oidc` is what to register there. */
export const oidcId = 'oidc'

const timeoutMs = 5000

type Claims = Record<string, unknown>

/** Asks the provider how it is spoken to. Throws when it does not answer, or answers as somebody else. */
export async function discoverOidc(config: OidcConfig, { isOpen }: { isOpen: boolean }): Promise<GenericOAuthConfig> {
  const issuer = config.issuer.replace(/\/+$/, '')
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`
  const found = await getJson(discoveryUrl)
  const named = text(found, 'issuer')
  if (named?.replace(/\/+$/, '') !== issuer) throw new Error(`${discoveryUrl} speaks for ${named ?? 'nobody'}`)
  const userInfoUrl = text(found, 'userinfo_endpoint')
  return {
    providerId: oidcId,
    name: config.name,
    discoveryUrl,
    requireIdTokenVerification: true,
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    scopes: ['openid', 'email', 'profile'],
    disableSignUp: !isOpen,
    disableProviderLogout: true,
    getUserInfo: async ({ idToken, accessToken }) =>
      idToken ? readProfile({ idToken, accessToken, userInfoUrl, trustEmail: config.trustEmail }) : null,
  }
}

type Given = { idToken: string; accessToken: string | undefined; userInfoUrl: string | null; trustEmail: boolean }

/** Who it says this is. The token's signature has been checked by then; many providers give the address only when asked once more. */
async function readProfile({ idToken, accessToken, userInfoUrl, trustEmail }: Given) {
  const claims = payloadOf(idToken)
  const needsUserInfo = text(claims, 'email') === null && userInfoUrl !== null
  const more = needsUserInfo ? await getJson(userInfoUrl, accessToken) : claims
  const sub = text(claims, 'sub')
  const email = text(more, 'email')
  // An answer about somebody else would sign in the wrong person.
  if (sub === null || text(more, 'sub') !== sub || email === null) return null
  return {
    id: sub,
    sub,
    email,
    emailVerified: trustEmail || more['email_verified'] === true,
    name: text(more, 'name') ?? email.split('@')[0] ?? email,
  }
}

function payloadOf(token: string): Claims {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return isRecord(claims) ? claims : {}
}

async function getJson(url: string, token?: string): Promise<Claims> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const body: unknown = await response.json()
  if (!response.ok || !isRecord(body)) throw new Error(`${url} answered ${response.status}`)
  return body
}

function isRecord(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null
}

function text(record: Claims, name: string): string | null {
  const value = record[name]
  return typeof value === 'string' && value !== '' ? value : null
}

import type { GenericOAuthConfig } from 'better-auth/plugins'
import type { OidcConfig } from '../../config.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { trimSlashes } from '../../infra/text/trim-slashes.ts'
import { type Auth, createAuth } from './create-auth.ts'

export type AuthInstances = {
  /** With the identity provider only after `withOidc` succeeded once. */
  current(): Auth
  /** With the identity provider. Its discovery document is requested again on every call until one request has succeeded. */
  withOidc(): Promise<Auth>
}

/** The instances of this process. */
export function authInstances(ctx: Context): AuthInstances {
  return ctx.resources.get(createInstancesResource, ctx)
}

function createInstancesResource(ctx: Context): { value: AuthInstances } {
  return { value: createAuthInstances(ctx) }
}

/** Two instances, because the identity provider may be down or slow when we start, and people with a password must not wait for it. */
function createAuthInstances(ctx: Context): AuthInstances {
  const { oidc, signUp } = ctx.config
  let auth = createAuth(ctx, null)
  let pending: Promise<Auth> | null = null

  async function createWithOidc(): Promise<Auth> {
    if (!oidc) throw problem('route_not_found')
    const provider = await discoverOidc(oidc, { isOpen: signUp === 'open' })
    const next = createAuth(ctx, provider)
    const { socialProviders } = await next.$context
    if (!socialProviders.some(({ id }) => id === oidcId)) throw new Error('the discovery document lacks a required field')
    auth = next
    return next
  }

  return {
    current: () => auth,
    async withOidc() {
      pending ??= createWithOidc()
      try {
        return await pending
      } catch (cause) {
        pending = null
        if (!oidc) throw cause
        ctx.log.warn({ err: cause, issuer: oidc.issuer }, 'the discovery document of the identity provider could not be read')
        throw problem('unavailable', { cause, message: `${oidc.name} is not answering; try again shortly.` })
      }
    },
  }
}

/** The provider's id in our URLs. The redirect URL to register at the provider is `/auth/callback/oidc`. */
const oidcId = 'oidc'

const timeoutMs = 5000

type Claims = Record<string, unknown>

/** Reads the provider's discovery document. Throws if there is no answer, or if the document names another issuer. */
async function discoverOidc(config: OidcConfig, { isOpen }: { isOpen: boolean }): Promise<GenericOAuthConfig> {
  const issuer = trimSlashes(config.issuer)
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`
  const document = await getJson(discoveryUrl)
  const named = text(document, 'issuer')
  if (named === null || trimSlashes(named) !== issuer)
    throw new Error(`${discoveryUrl} names the issuer ${named ?? 'nothing'}, not ${issuer}`)
  const userInfoUrl = text(document, 'userinfo_endpoint')
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

type TokenResponse = { idToken: string; accessToken: string | undefined; userInfoUrl: string | null; trustEmail: boolean }

/**
 * The person that the provider names. better-auth has verified the token's signature before. Many providers put the e-mail address only
 * into the answer of the userinfo endpoint.
 */
async function readProfile({ idToken, accessToken, userInfoUrl, trustEmail }: TokenResponse) {
  const claims = payloadOf(idToken)
  const needsUserInfo = text(claims, 'email') === null && userInfoUrl !== null
  const profile = needsUserInfo ? await getJson(userInfoUrl, accessToken) : claims
  const sub = text(claims, 'sub')
  const email = text(profile, 'email')
  // If the userinfo answer has another subject, it would sign in the wrong person.
  if (sub === null || text(profile, 'sub') !== sub || email === null) return null
  return {
    id: sub,
    sub,
    email,
    emailVerified: trustEmail || profile['email_verified'] === true,
    name: text(profile, 'name') ?? email.split('@')[0] ?? email,
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

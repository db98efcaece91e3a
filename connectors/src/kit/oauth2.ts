import { type Static, Type } from 'typebox'
import type { App, Credentials, OAuth2, Renewal } from './auth.ts'
import type { Http } from './http.ts'
import { PlatformError } from './platform-error.ts'

/** RFC 6749 section 5.1. Ids that some platforms add are ignored: `account` reads them from the API. */
export const Token = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.Optional(Type.String()),
  expires_in: Type.Optional(Type.Number()),
  /** A list with spaces or commas between the names. A token with anything else here is still a token. */
  scope: Type.Optional(Type.Unknown()),
})

type Authorization = {
  auth: OAuth2
  /** An instance or the simulator; null for the platform's own origin. */
  origin: string | null
  app: App
  redirectUrl: string
  state: string
  codeChallenge: string | null
  /** Has the platform approved the operator's app for more than the default permissions? */
  isVetted?: boolean
}

/** The page of the platform where a person authorizes the app. */
export function authorizeUrl({ auth, origin, app, redirectUrl, state, codeChallenge, isVetted }: Authorization): string {
  const path = URL.canParse(auth.authorizeUrl) ? new URL(auth.authorizeUrl).pathname : auth.authorizeUrl
  const url = new URL(origin === null ? auth.authorizeUrl : origin + path)
  const query = { response_type: 'code', [auth.clientIdName ?? 'client_id']: app.clientId, redirect_uri: redirectUrl, state }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  url.searchParams.set('scope', scopesToAsk(auth, isVetted).join(auth.scopeSeparator))
  for (const [name, value] of Object.entries(auth.authorizeParameters ?? {})) url.searchParams.set(name, value)
  if (codeChallenge !== null) {
    url.searchParams.set('code_challenge', codeChallenge)
    url.searchParams.set('code_challenge_method', 'S256')
  }
  return url.href
}

/** The permissions that an authorization asks for. */
export function scopesToAsk({ scopes, vettedScopes }: OAuth2, isVetted = false): readonly string[] {
  return (isVetted ? vettedScopes : undefined) ?? scopes
}

type Exchange = {
  auth: OAuth2
  http: Http
  app: App
  redirectUrl: string
  code: string
  codeVerifier: string | null
  nowMs: number
}

/** `scopes` are the permissions that the person granted; null where the platform does not say. */
export type Grant = { credentials: Credentials; scopes: readonly string[] | null }

/** Exchanges the code of a finished authorization for credentials to store. */
export async function exchangeCode({ auth, http, app, redirectUrl, code, codeVerifier, nowMs }: Exchange): Promise<Grant> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUrl, code_verifier: codeVerifier ?? undefined }
  const token = await requestToken(auth, http, app, form)
  const first = toCredentials(token, nowMs)
  const credentials = auth.getLongLivedToken ? await auth.getLongLivedToken({ http, credentials: first, app, nowMs }) : first
  return { credentials, scopes: typeof token.scope === 'string' ? token.scope.split(/[\s,]+/).filter(Boolean) : null }
}

/** Whether the platform does not know this app any more. A refused code says nothing about the app (RFC 6749 section 5.2). */
export async function isAppRefused(auth: OAuth2, http: Http, app: App): Promise<boolean> {
  try {
    await requestToken(auth, http, app, { grant_type: 'client_credentials' })
    return false
  } catch (error) {
    return isInvalidClient(error)
  }
}

export function isInvalidClient(error: unknown): boolean {
  return error instanceof PlatformError && error.platformCode === 'invalid_client'
}

/** Renews credentials by their refresh token, which is kept where the platform sends no new one. */
export async function refreshCredentials(endpoint: TokenRequest, platformName: string, renewal: Renewal): Promise<Credentials> {
  const { refreshToken, app } = requireRefreshToken(platformName, renewal)
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  return { refreshToken, ...toCredentials(await requestToken(endpoint, renewal.http, app, form), renewal.nowMs) }
}

/** Without a refresh token and the developer app, only the account's owner can renew the connection. */
export function requireRefreshToken(platformName: string, { credentials, app }: Renewal): { refreshToken: string; app: App } {
  const { refreshToken } = credentials
  if (refreshToken !== undefined && app !== null) return { refreshToken, app }
  const message = `${platformName} gave no way to renew this connection. Reconnect the account.`
  throw new PlatformError({ kind: 'auth', platformCode: null, message })
}

type TokenRequest = Pick<OAuth2, 'tokenUrl' | 'clientAuth' | 'clientIdName' | 'apiOrigin'>

/** One request to the token endpoint, with the app's secret in the place this platform expects. */
function requestToken(
  auth: TokenRequest,
  http: Http,
  app: App,
  form: Record<string, string | undefined>,
): Promise<Static<typeof Token>> {
  const isBasic = auth.clientAuth === 'basic'
  return http.call({
    method: 'POST',
    path: tokenPath(auth, http),
    form: isBasic ? form : { ...form, [auth.clientIdName ?? 'client_id']: app.clientId, client_secret: app.clientSecret },
    headers: isBasic ? { authorization: `Basic ${btoa(`${app.clientId}:${app.clientSecret}`)}` } : {},
    anonymous: true,
    returns: Token,
  })
}

function tokenPath({ tokenUrl, apiOrigin }: TokenRequest, http: Http): string {
  const isOtherServer = apiOrigin !== undefined && http.origin !== apiOrigin
  return isOtherServer && URL.canParse(tokenUrl) ? new URL(tokenUrl).pathname : tokenUrl
}

export function toCredentials(token: Static<typeof Token>, nowMs: number): Credentials {
  return {
    accessToken: token.access_token,
    ...(token.refresh_token === undefined ? {} : { refreshToken: token.refresh_token }),
    ...(token.expires_in === undefined ? {} : { expiresAtMs: nowMs + token.expires_in * 1000 }),
  }
}

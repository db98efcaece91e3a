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
  /** Meta's name for the same: a list, or a text with commas. */
  permissions: Type.Optional(Type.Unknown()),
})

/** Instagram documents a list with one token. */
const TokenAnswer = Type.Union([Token, Type.Object({ data: Type.Tuple([Token]) })])

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
  const proof = { code, redirect_uri: redirectUrl, code_verifier: codeVerifier ?? undefined }
  const form = { grant_type: 'authorization_code', ...proof, ...auth.codeFields }
  const token = await requestToken(auth, http, app, form)
  const first = toCredentials(token, nowMs)
  const credentials = auth.getLongLivedToken ? await auth.getLongLivedToken({ http, credentials: first, app, nowMs }) : first
  const scopes = scopesOf(token.scope ?? token.permissions) ?? credentials.scopes ?? null
  return { credentials: { ...credentials, ...(scopes && { scopes }) }, scopes }
}

function scopesOf(granted: unknown): string[] | null {
  if (typeof granted === 'string') return granted.split(/[\s,]+/).filter(Boolean)
  return Array.isArray(granted) ? granted.filter((scope) => typeof scope === 'string') : null
}

/** Asks the platform to end our access (RFC 7009). False if it has no endpoint for that. */
export async function revokeCredentials(auth: OAuth2, http: Http, app: App, credentials: Credentials): Promise<boolean> {
  const { revokeUrl } = auth
  if (revokeUrl === null) return false
  const { accessToken, refreshToken } = credentials
  const either = { access: accessToken, refresh: refreshToken ?? accessToken }
  for (const token of auth.revokedToken ? [either[auth.revokedToken]] : [accessToken, refreshToken]) {
    if (token === undefined) continue
    const { form, headers } = withApp(auth, app, { token })
    await http.call({
      method: 'POST',
      path: endpointPath(revokeUrl, auth, http),
      form,
      headers,
      anonymous: true,
      returns: Type.Unknown(),
    })
  }
  return true
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
  const message =
    app === null
      ? `The developer app with which this account was connected at ${platformName} is no longer set up here. Reconnect the account.`
      : `${platformName} gave no way to renew this connection. Reconnect the account.`
  throw new PlatformError({ kind: 'auth', platformCode: null, message })
}

type TokenRequest = Pick<OAuth2, 'tokenUrl' | 'clientAuth' | 'clientIdName' | 'apiOrigin'>

type Form = Record<string, string | undefined>

/** One request to the token endpoint. */
async function requestToken(auth: TokenRequest, http: Http, app: App, fields: Form): Promise<Static<typeof Token>> {
  const { form, headers } = withApp(auth, app, fields)
  const path = endpointPath(auth.tokenUrl, auth, http)
  const body = await http.call({ method: 'POST', path, form, headers, anonymous: true, returns: TokenAnswer })
  return 'data' in body ? body.data[0] : body
}

/** Adds the app's id and secret in the place this platform expects. */
export function withApp(auth: Pick<OAuth2, 'clientAuth' | 'clientIdName'>, { clientId, clientSecret }: App, form: Form) {
  const isBasic = auth.clientAuth === 'basic'
  return {
    form: isBasic ? form : { ...form, [auth.clientIdName ?? 'client_id']: clientId, client_secret: clientSecret },
    headers: isBasic ? { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` } : {},
  }
}

/** The address of an endpoint, which is on the simulator's origin if that is in use. */
export function endpointPath(url: string, { apiOrigin }: Pick<OAuth2, 'apiOrigin'>, http: Http): string {
  const isOtherServer = apiOrigin !== undefined && http.origin !== apiOrigin
  return isOtherServer && URL.canParse(url) ? new URL(url).pathname : url
}

export function toCredentials(token: Static<typeof Token>, nowMs: number): Credentials {
  return {
    accessToken: token.access_token,
    ...(token.refresh_token === undefined ? {} : { refreshToken: token.refresh_token }),
    ...(token.expires_in === undefined ? {} : { expiresAtMs: nowMs + token.expires_in * 1000 }),
  }
}

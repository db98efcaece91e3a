import type { Account } from './account.ts'
import type { Http } from './http.ts'

/** What lets us speak for an account. Sealed at rest; never in a log, never in the engine's journal. */
export type Credentials = {
  accessToken: string
  refreshToken?: string
  /** When the access token ends, in milliseconds since 1970; absent when it does not. */
  expiresAtMs?: number
  /** What else the platform wants beside the token, for example a DID or an app password. */
  extra?: Record<string, string>
}

/** The developer app registered at the platform, where one is needed. */
export type App = { clientId: string; clientSecret: string }

export type Renewal = { http: Http; credentials: Credentials; app: App | null; nowMs: number }

export type OAuth2 = {
  kind: 'oauth2'
  /** Absolute, or a path below the instance. */
  authorizeUrl: string
  tokenUrl: string
  revokeUrl: string | null
  /**
   * Set where tokens are asked for at a host that is not the API's: the API's own origin. Below any other origin, such as the
   * simulator's, that host is stood in for as well.
   */
  apiOrigin?: string
  scopes: readonly string[]
  /** Asked for in place of `scopes` when the operator's app was vetted for more; then `targets` has something to find. */
  vettedScopes?: readonly string[]
  scopeSeparator: ' ' | ','
  pkce: boolean
  perInstance: boolean
  /** Where the app's secret goes in a token request: a Basic header, or beside the other fields. */
  clientAuth: 'basic' | 'form'
  /** What the app's id is called; absent means `client_id`. */
  clientIdName?: string
  /** Instances that let a program register itself: no person has to create a developer app. */
  register?(http: Http, app: { name: string; redirectUrl: string; website: string }): Promise<App>
  /** The other accounts one yes covers, for example the pages a person manages. Absent when it covers one account only. */
  targets?(http: Http): Promise<readonly Account[]>
  /** Turns the short first token into the one to keep, on platforms that give two. */
  getLongLivedToken?(renewal: Renewal): Promise<Credentials>
  /** A token that can only be renewed while it lives is renewed this long before its end, whether or not a post is due. */
  renewEarlyMs?: number
  /** Absent when the token never expires. */
  renew?(renewal: Renewal): Promise<Credentials>
}

export type PasswordAuth = {
  kind: 'password'
  fields: readonly { name: string; label: string; secret: boolean }[]
  perInstance: boolean
  open(http: Http, fields: Record<string, string>, nowMs: number): Promise<Credentials>
  renew(renewal: Renewal): Promise<Credentials>
}

export type Auth = OAuth2 | PasswordAuth

import { Type } from 'typebox'
import type { Http } from './http.ts'

/** The account on the platform that a connection publishes to. */
export type Account = {
  id: string
  handle: string
  displayName: string
  avatarUrl: string | null
  /** The id by which the platform names the account's owner to the app in a notice, where it is another one than `id`. */
  appUserId?: string
  /** How many accounts follow this one. Absent where the platform does not tell it, or not of this account: never 0 for what is unknown. */
  followers?: number
}

/** A field with a number of followers: any value, because a wrong one must not keep anybody from connecting the account. */
export const FollowerCount = Type.Optional(Type.Unknown())

/** What an answer says about followers. Some platforms write the number as text. Whatever is no count is unknown, and not 0. */
export function readFollowers(count: unknown): Pick<Account, 'followers'> {
  const followers = typeof count === 'string' && /^\d{1,15}$/.test(count) ? Number(count) : count
  return typeof followers === 'number' && Number.isSafeInteger(followers) && followers >= 0 ? { followers } : {}
}

/** What gives access to an account. Stored encrypted; never written to a log or to the workflow engine's journal. */
export type Credentials = {
  accessToken: string
  refreshToken?: string
  /** When the access token expires, in milliseconds since 1970; absent when it never does. */
  expiresAtMs?: number
  /** The permissions that were granted; absent where the platform does not say. */
  scopes?: readonly string[]
  /** What the platform needs besides the token, for example a DID or an app password. */
  extra?: Record<string, string>
}

/** The developer app that is registered with the platform, if it needs one. */
export type App = { clientId: string; clientSecret: string }

export type Renewal = { http: Http; credentials: Credentials; app: App | null; nowMs: number }

export type OAuth2 = {
  kind: 'oauth2'
  /** An absolute URL, or a path on the instance. */
  authorizeUrl: string
  tokenUrl: string
  revokeUrl: string | null
  /** Set where the revocation of one token ends the other as well: the one that is sent. The platform would refuse the second. */
  revokedToken?: 'access' | 'refresh'
  /**
   * The API's own origin; set only where `tokenUrl` is on another host than the API. When a different origin is in use, such as the
   * simulator's, the token request goes to that origin as well.
   */
  apiOrigin?: string
  scopes: readonly string[]
  /** Requested instead of `scopes` when the platform has approved the operator's app for more. Where there are `targets`, only these are then connected. */
  vettedScopes?: readonly string[]
  scopeSeparator: ' ' | ','
  pkce: boolean
  perInstance: boolean
  /** Sent with the code of a finished authorization. */
  codeFields?: Readonly<Record<string, string>>
  /** Sent with each authorization request. They make the platform ask people again who agreed to the same app before. */
  authorizeParameters?: Readonly<Record<string, string>>
  /** Where an instance describes its authorization server (RFC 8414). */
  metadataPath?: string
  /** Where an operator creates the developer app. Absent where an app can be registered by API. */
  portalUrl?: string
  /**
   * Whether a workspace may connect accounts with a developer app of its own. Not where the platform sends notices that are signed with the
   * secret of an app: a workspace could then sign notices about the accounts of others.
   */
  allowsOwnApp?: true
  /** Where the app's secret goes in a token request: a Basic header, or a form field. */
  clientAuth: 'basic' | 'form'
  /** The parameter that holds the app's id; absent means `client_id`. */
  clientIdName?: string
  /** Registers a developer app on an instance by API, so that no person has to create one. */
  register?(http: Http, app: { name: string; redirectUrl: string; website: string }): Promise<App>
  /** The other accounts that one authorization covers, for example the pages a person manages. Absent when it covers one account only. */
  targets?(http: Http): Promise<readonly Account[]>
  /** Set where only `targets` can be published to, and never the account of the person who signs in. */
  isForTargetsOnly?: boolean
  /** Exchanges the first, short-lived token for the one to store, on platforms that issue two. */
  getLongLivedToken?(renewal: Renewal): Promise<Credentials>
  /** For tokens that can be renewed only before they expire: renew this long before that, even if no post is due. */
  renewEarlyMs?: number
  /** For refresh tokens that end if they are not used for this long: an account is renewed earlier than that, even if no post is due. */
  refreshLastsMs?: number
  /** Absent when the token never expires. */
  renew?(renewal: Renewal): Promise<Credentials>
}

export type PasswordAuth = {
  kind: 'password'
  fields: readonly { name: string; label: string; secret: boolean; optional?: true }[]
  perInstance: boolean
  open(http: Http, fields: Record<string, string>, nowMs: number): Promise<Credentials>
  /** Absent when the token never expires. */
  renew?(renewal: Renewal): Promise<Credentials>
}

export type Auth = OAuth2 | PasswordAuth

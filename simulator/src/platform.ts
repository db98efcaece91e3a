import type { Call, Params } from './http/call.ts'
import type { Headers, Reply } from './http/reply.ts'
import type { Account } from './state/accounts.ts'
import type { Operation } from './state/call-counts.ts'
import type { Charge, Reading } from './state/limits.ts'
import type { Post } from './state/posts.ts'
import type { Realm } from './state/platform-context.ts'
import type { Token } from './state/tokens.ts'

export type Session = { account: Account; token: Token }

type RouteHead = {
  method: string
  path: string
  operation: Operation | ((call: Call) => Operation)
  /** The first one is the one the platform reports in its headers. */
  charges?: readonly Charge[]
}

/** A route either needs a session or is open; an open one may still know whose account it concerns. */
export type Route =
  | (RouteHead & { scope?: string; handle: (call: Call, session: Session) => Reply })
  | (RouteHead & { open: true; whose?: (call: Call) => Account | undefined; answer: (call: Call) => Reply })

/** What a call wants to do, and the token as it was sent: a missing one and an unknown one are answered differently. */
export type Asked = { scope: string | undefined; sent: string | undefined }

export type Credentials = {
  accessToken: string
  refreshToken?: string
  expiresAtMs?: number
  extra?: Record<string, string>
}

export type Platform = {
  realm: Realm
  title: string
  colour: string
  routes: readonly Route[]
  /** The page of one post, at the path its public address has. */
  pages: readonly { path: string; find: (params: Params) => Post | undefined }[]
  /** The same handle has the same id in every run, so that what was connected stays connected when the simulator starts anew. */
  accountIdOf: (handle: string) => string
  issueCredentials: (account: Account) => Credentials
  tokenOf: (call: Call) => string | undefined
  /** Throws the platform's own refusal unless the token may do this. */
  admit: (token: Token | undefined, asked: Asked) => Token
  /** The platform's own body for a status, also used when a fault asks for one. */
  failure: (status: number, retryAfterSeconds?: number) => Reply
  expiredToken: () => Reply
  rateHeaders: (reading: Reading) => Headers
}

/** One file or folder a platform; the list in platforms/list.ts holds them all. */
export type PlatformFactory = { name: string; create: (world: Realm['world']) => Platform }

export function openAccount(platform: Platform, handle: string): Account {
  return platform.realm.accounts.open(handle, { id: () => platform.accountIdOf(handle), atMs: platform.realm.now() })
}

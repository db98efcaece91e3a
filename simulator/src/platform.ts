import type { Call, Params } from './http/call.ts'
import type { Method } from './http/create-router.ts'
import type { Fields } from './http/fields.ts'
import type { Headers, Reply } from './http/reply.ts'
import type { Operation } from './state/call-counts.ts'
import type { Account, Post } from './state/entities.ts'
import type { Charge, LimitStatus } from './state/limits.ts'
import type { PlatformContext } from './state/platform-context.ts'
import type { SubmitRequest } from './state/submits.ts'
import type { Token } from './state/tokens.ts'

export type Session = { account: Account; token: Token }

type RouteHead = {
  method: Method
  path: string
  operation: Operation | ((call: Call) => Operation)
  /** The platform reports the first limit in its headers. */
  charges?: readonly Charge[]
  /** What the call asks to publish; undefined if this call publishes nothing. It must accept any request, valid or not. */
  readSubmit?: (call: Call) => SubmitRequest | undefined
}

/** A route either needs a session or is open. `findAccount` tells which account an open call concerns, for limits and faults. */
export type Route =
  | (RouteHead & { scope?: string | ((call: Call) => string); handle: (call: Call, session: Session) => Reply })
  | (RouteHead & { open: true; findAccount?: (call: Call) => Account | undefined; answer: (call: Call) => Reply })

/** The scope a route needs, and the token as sent: platforms answer a missing token and an unknown one differently. */
export type AccessRequest = { scope: string | undefined; sentToken: string | undefined }

type Credentials = {
  accessToken: string
  refreshToken?: string
  expiresAtMs?: number
  extra?: Record<string, string>
}

/** `picture` is the platform's own id of the uploaded picture. */
export type LinkCard = {
  url: string
  title: string | undefined
  description: string | undefined
  picture?: string | undefined
}

/** What a platform's request for a post says to a reader. */
export type Description = {
  title?: string | undefined
  visibility?: string | undefined
  link?: LinkCard | undefined
  /** The names of fields that are shown in another place or tell a reader nothing. All others are listed as options. */
  hidden: readonly string[]
}

/**
 * A platform that is spoken to over WebSockets. Each message is handled like an HTTP call, so that faults, limits and records are those of any
 * other call: the opening is a GET of the path, and a message is a call of its own.
 */
export type SocketTalk = {
  /** Said as soon as a connection is open. */
  greet: (connection: string) => readonly string[]
  /** Undefined for a message that gets no answer. */
  toCall: (message: string) => { path: string; body: string } | undefined
  toMessages: (message: string, reply: { status: number; text: string }) => readonly string[]
  leave: (connection: string) => void
}

export type Platform = {
  context: PlatformContext
  /** Absent where all calls are HTTP requests. */
  talk?: SocketTalk
  title: string
  colour: string
  /** As the platform counts the text of a post against its limit. */
  countText: (text: string) => number
  routes: readonly Route[]
  /** The page of one post, at the path of the post's public URL. `find` also returns deleted posts, because their page says so. */
  pages: readonly { path: string; find: (params: Params) => Post | undefined }[]
  /** The page of one account, at the path of its public URL. */
  profile: { path: string; find: (params: Params) => Account | undefined }
  describe: (request: Fields) => Description
  /** The same handle has the same id in every run, so that connections stay valid when the simulator restarts. */
  accountIdOf: (handle: string) => string
  issueCredentials: (account: Account) => Credentials
  tokenOf: (call: Call) => string | undefined
  /** Throws the platform's own error reply unless the token allows the request. */
  checkToken: (token: Token | undefined, request: AccessRequest) => Token
  /** The platform's own error body for a status. Faults of kind `status` use it too. */
  failure: (status: number, retryAfterSeconds?: number) => Reply
  expiredToken: () => Reply
  rateHeaders: (limitStatus: LimitStatus) => Headers
}

/** Each platform folder exports one factory, listed in platforms/platform-factories.gen.ts. */
export type PlatformFactory = { name: string; create: (simulator: PlatformContext['simulator']) => Platform }

export function openAccount(platform: Platform, handle: string): Account {
  return platform.context.accounts.open(handle, { id: () => platform.accountIdOf(handle), atMs: platform.context.now() })
}

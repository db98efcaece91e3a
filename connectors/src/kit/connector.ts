import type { ContentFormat, Manifest } from '@carillon/contract'
import type { Static, TSchema } from 'typebox'
import type { Account } from './account.ts'
import type { Auth, Credentials } from './auth.ts'
import type { Attach, Classify, Http } from './http.ts'

/** One media file of a post, opened only when a connector reads it. */
export type Media = {
  kind: 'image' | 'video' | 'document'
  name: string
  mimeType: string
  sizeBytes: number
  width: number | null
  height: number | null
  durationSeconds: number | null
  alt: string
  read(): Promise<Uint8Array>
  stream(): Promise<ReadableStream<Uint8Array>>
  /** An address the platform can fetch it from, for those that pull. */
  url(): Promise<string>
}

/** What to publish on one connection. `replyTo` is set for a first comment. */
export type Draft<Settings = Record<string, unknown>> = {
  format: ContentFormat
  /** The final text. It already holds the link wherever the manifest says that the link goes into the text. */
  text: string
  title: string | null
  /** For the platform's own link field, where it has one. */
  linkUrl: string | null
  media: readonly Media[]
  settings: Settings
  replyTo: { postId: string } | null
}

/** The account spoken for, and the way to it. The client carries the token; a connector never sees where it is kept. */
export type Client = {
  http: Http
  account: { id: string; handle: string }
  credentials: Credentials
}

/** Chosen and stored before the first send, and the same for every attempt: it makes the send recognisable. */
export type Handle = { key: string; atMs: number }

/** What a platform answered to a send. */
export type Outcome =
  | { state: 'published'; postId: string; postUrl: string | null; warnings?: readonly string[] }
  | { state: 'processing'; reference: string; checkAfterMs: number }

/** What a platform says about a send whose answer was lost. `absent` means: certainly not there, sending again is safe. */
export type Found = Outcome | { state: 'absent' } | { state: 'unknown' }

export type Figures = Partial<Record<'likes' | 'comments' | 'shares' | 'impressions' | 'clicks' | 'saves', number>>

/** What was prepared before the due time; stored as JSON beside the channel. */
export type Staged = Record<string, unknown> | null

/**
 * How one platform is spoken to. A connector never sleeps, retries, reads a clock, a database or the environment,
 * and throws only PlatformError.
 */
export type Connector<Schema extends TSchema = TSchema> = {
  manifest: Manifest
  settings: Schema
  auth: Auth
  /** Where the API lives when the connection has no instance of its own. */
  origin: string | null
  /** Turns this platform's refusals into the six kinds; given to `createHttp`. */
  classify: Classify
  /** How the token travels; absent means a bearer header. Given to `createHttp`. */
  attach?: Attach
  account(client: Client): Promise<Account>
  /** Safe to repeat: nothing it makes is visible until `submit`. Absent when there is nothing to prepare for any post. */
  stage?(client: Client, draft: Draft<Static<Schema>>): Promise<Staged>
  /** Does this draft have anything to stage? Text on most platforms has not; a mention or a reply to look up is something. */
  needsStage(draft: Pick<Draft, 'format' | 'text' | 'replyTo'>): boolean
  /** The irreversible call. */
  submit(client: Client, draft: Draft<Static<Schema>>, staged: Staged, handle: Handle): Promise<Outcome>
  /** Asks how a `processing` outcome is doing. */
  check?(client: Client, reference: string): Promise<Outcome>
  /**
   * After a lost answer: did it go out? With a `key` handle the post is simply sent again; there `find` serves those whose platform
   * forgets the key after a while.
   */
  find?(client: Client, sent: { draft: Draft<Static<Schema>>; staged: Staged; handle: Handle }): Promise<Found>
  remove?(client: Client, postId: string): Promise<void>
  metrics?(client: Client, postIds: readonly string[]): Promise<ReadonlyMap<string, Figures>>
}

export function defineConnector<const Schema extends TSchema>(connector: Connector<Schema>): Connector<Schema> {
  return connector
}

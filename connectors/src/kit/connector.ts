import type { Chat } from '../chat/chat.ts'
import type { AccountRules, ContentFormat, FailureReason, Manifest } from '@carillon/contract'
import type { Static, TSchema } from 'typebox'
import type { Account } from './auth.ts'
import type { App, Auth, Credentials } from './auth.ts'
import type { AppCheck, AppQuestion } from './check-app.ts'
import type { Attach, Classify, Http } from './http.ts'
import { PlatformError } from './platform-error.ts'

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
  /** From this byte on; from the first one if it is not given. */
  stream(fromByte?: number): Promise<ReadableStream<Uint8Array>>
  /** A public URL, for platforms that fetch the file themselves. */
  url(): Promise<string>
}

/**
 * What the page of a link says about itself, for platforms that show a card and do not read the page. `lost` names what should have been there:
 * the page did not answer or says nothing, or it names a picture that cannot be used.
 */
export type LinkCard = {
  title: string | null
  description: string | null
  picture: Media | null
  lost: 'page' | 'picture' | null
}

/** What to publish on one connection. `replyTo` is set for a first comment. */
export type Draft<Settings = Record<string, unknown>> = {
  format: ContentFormat
  /** The final text. It already holds the link wherever the manifest says that the link goes into the text. */
  text: string
  title: string | null
  /** For the platform's own link field, where it has one. */
  linkUrl: string | null
  /** The page of `linkUrl`. Only `stage` gets it, and only if the manifest has rules for a card. */
  card?: LinkCard
  media: readonly Media[]
  settings: Settings
  replyTo: { postId: string } | null
}

/** An account and the HTTP client to reach it with. The connector does not know where the token is stored. */
export type Client = {
  http: Http
  account: { id: string; handle: string }
  credentials: Credentials
}

/**
 * Chosen and stored when the channel is created, and the same for every attempt, so that a repeated send can be recognised. `atMs` is the
 * time of that creation, weeks before the send for a scheduled post: it tells nothing about when the post was sent.
 */
export type Handle = { key: string; atMs: number }

/** A post whose answer was lost, or whose channel was restored from a backup. */
export type Sent<Settings = Record<string, unknown>> = {
  /** Without media: files are opened only for sending. */
  draft: Draft<Settings>
  /** Null when nothing was staged, or when a restored database has forgotten it. */
  staged: Staged
  handle: Handle
  /** When the send may have happened. `fromMs` allows for a platform's clock that is behind ours; `find` allows for one that is ahead. */
  window: { fromMs: number; untilMs: number }
  /** The ids of the account's posts that belong to other channels. `find` never returns one of these. */
  knownPostIds: ReadonlySet<string>
}

/**
 * What a platform answered to a send. `finishWithinMs`: the post was put into the app of the platform, where a person may finish it for so long
 * after the send.
 */
export type Outcome =
  | { state: 'published'; postId: string; postUrl: string | null; warnings?: readonly string[] }
  | { state: 'processing'; reference: string; checkAfterMs: number; finishWithinMs?: number }

/**
 * What is known about a send whose answer was lost. `absent` means that it was not published. By `reference`, the platform itself says so
 * about this container, publish id or key. By `listing`, a complete listing of the window has no post like it; a platform's listing may
 * be out of date. `unidentified` means that the platform itself says it was published, but not as which of its posts. A post that was found
 * `byWords` looks like the one that was sent, and may be that of another channel with the same words.
 */
export type Found =
  | (Outcome & { byWords?: true })
  | { state: 'absent'; proof: 'reference' | 'listing' }
  | { state: 'unidentified' }
  | { state: 'unknown' }

/** What a platform says about a person who uses the app. `userId` is the id that they have in this app: `appUserId` of their account. */
export type Notice = { userId: string; issuedAtMs: number }

export type Figures = Partial<Record<'likes' | 'comments' | 'shares' | 'impressions' | 'clicks' | 'saves', number>>

/** What one account may do, where its platform does not treat all accounts alike. */
export type Capabilities = {
  rules: AccountRules
  /** The name that the platform wants shown where a post for the account is written. */
  name?: string
  /** Set while the platform takes no posts of the account at all. */
  blocked?: { reason: FailureReason | null; message: string }
}

/** What a server that somebody wrote keeps of one thing that its guide asks for. `untold`: it offers it not, or did not show it. */
export type ServerCheck = { name: string; state: 'held' | 'failed' | 'untold'; said: string }

/** What a test of such a server needs. The file is one that the server can fetch; null if there is none. */
export type ServerTest = { secret: string; newKey(): string; file: Media | null }

/** What `stage` prepared before the due time; stored as JSON with the channel. */
export type Staged = Record<string, unknown> | null

/**
 * The code for one platform. A connector never retries, reads no clock, database or environment, and throws only PlatformError. It never
 * sleeps either, except in `stage`, which may wait some seconds with `http.wait` for what it made itself (decision 72).
 */
export type Connector<Schema extends TSchema = TSchema> = {
  manifest: Manifest
  settings: Schema
  auth: Auth
  /** The API's origin; null when every connection has an instance of its own. */
  origin: string | null
  /** A second API of the platform, for apps that it has not approved: what is published there is seen by its author only. Absent if there is none. */
  sandboxOrigin?: string
  /** Turns this platform's error answers into one of the six error kinds. Passed to `createHttp`. */
  classify: Classify
  /** How the token is sent; absent means a bearer header. Passed to `createHttp`. */
  attach?: Attach
  account(client: Client): Promise<Account>
  /** Tells a chat what happened in a workspace. It has nothing to do with publishing. Absent where a webhook cannot write in a chat. */
  chat?: Chat
  /** Reads what this one account may do. Absent where all accounts of the platform are alike. */
  capabilities?: {
    read(client: Client): Promise<Capabilities>
    /** For how long an answer is current. After that the platform is asked again as soon as somebody wants to know. */
    currentMs: number
    /** For how long posts are checked with an answer; absent means until there is another one. */
    bindsMs?: number
  }
  /** Uploads and looks up what `submit` needs. Safe to repeat: nothing is visible until `submit`. Absent when no post needs it. */
  stage?(client: Client, draft: Draft<Static<Schema>>): Promise<Staged>
  /** Must this draft be staged? On most platforms plain text needs no staging, but media, mentions, a link or a reply may. */
  needsStage(draft: Pick<Draft, 'format' | 'text' | 'linkUrl' | 'replyTo'>): boolean
  /** Publishes. Nothing after the irreversible call may fail. */
  submit(client: Client, draft: Draft<Static<Schema>>, staged: Staged, handle: Handle): Promise<Outcome>
  /** The longest that `submit` may take, where it does more than one short call; 30 seconds when absent. */
  submitMsMax?: number
  /** How long the platform keeps what `stage` made; absent means for good. */
  stageLastsMs?: number
  /** How long after a post the platform is ready for a comment on it; absent means at once. Earlier calls are refused, and may cost money. */
  commentAfterMs?: number
  /** Reads the current state of a post whose outcome was `processing`. */
  check?(client: Client, reference: string): Promise<Outcome>
  /**
   * After a lost answer: was the post published? It returns a post only if that is the one that was sent; two posts that might be are
   * `unknown`. It must not need the draft's media.
   */
  find?(client: Client, sent: Sent<Static<Schema>>): Promise<Found>
  remove?(client: Client, postId: string): Promise<void>
  /**
   * Reads the form in which the platform says that a person removed the app, or wants their data deleted. Null unless it was signed with
   * the secret of the app. Absent where the platform sends no such requests.
   */
  readNotice?(form: Readonly<Record<string, string>>, app: App): Notice | null
  /**
   * Asks the platform whether it accepts the app, without a user. It may say that this cannot be told, and must say so unless the answer is
   * documented or was seen. Its client keeps error answers (`keepReply`). Absent where no app is needed.
   */
  checkApp?(http: Http, question: AppQuestion): Promise<AppCheck>
  metrics?(client: Client, postIds: readonly string[]): Promise<ReadonlyMap<string, Figures>>
  /**
   * Tries a server that somebody wrote for this connector, and says what it keeps. Only for `connector-test`, so it may wait and repeat. Absent
   * where nobody writes servers.
   */
  tryServer?(http: Http, test: ServerTest): AsyncIterable<ServerCheck>
}

export function defineConnector<const Schema extends TSchema>(connector: Connector<Schema>): Connector<Schema> {
  return connector
}

/** Reads the figures of posts one at a time, where a platform returns those of one only. A deleted post has no figures. */
export async function readEach(
  postIds: readonly string[],
  read: (postId: string) => Promise<Figures>,
): Promise<ReadonlyMap<string, Figures>> {
  const figures = new Map<string, Figures>()
  for (const postId of postIds) {
    try {
      figures.set(postId, await read(postId))
    } catch (error) {
      if (!(error instanceof PlatformError) || error.kind !== 'gone') throw error
    }
  }
  return figures
}

/** U+FFFD stands for bytes that were no text. An id with it is not that of the post, and nothing could find or answer the post by it. */
export function isWholeId(id: string): boolean {
  return !id.includes('\u{FFFD}')
}

/** Returns what a platform said about a post, unless the id in it is damaged: such an answer is as good as lost. */
export function requireWholeIds<State extends Found>(found: State): State {
  const id = found.state === 'published' ? found.postId : found.state === 'processing' ? found.reference : ''
  if (isWholeId(id)) return found
  throw new PlatformError({ kind: 'unknown', platformCode: null, message: 'The id in the answer of the platform was damaged.' })
}

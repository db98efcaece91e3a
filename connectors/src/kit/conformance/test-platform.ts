import type { App, Credentials } from '../auth.ts'
import type { Transport } from '../http.ts'

export type Fault =
  | { kind: 'status'; status: number; retryAfterSeconds?: number; commit?: boolean; body?: string }
  | { kind: 'drop_before' }
  | { kind: 'drop_after' }
  | { kind: 'slow_body'; bytesPerSecond: number }
  | { kind: 'malformed' }
  | { kind: 'huge_body'; bytes: number }
  | { kind: 'garbage'; commit?: boolean }
  | { kind: 'expired_token' }

type Operation = 'submit' | 'stage' | 'find' | 'check' | 'token' | 'account' | 'any'

/** `picture` names the uploaded picture. */
type VisibleCard = { url: string; title?: string; description?: string; picture?: string }

export type VisiblePost = {
  id: string
  text: string
  replyTo: string | null
  deleted: boolean
  media: { alt: string; mime: string; tags: { username: string; x?: number; y?: number }[] }[]
  /** The card of the post's link. */
  link: VisibleCard | null
  /** What else the platform was told about the post, by its own names. */
  options: Record<string, string>
}

type MediaKind = 'image' | 'video' | 'document'

type ConnectedAccount = { account: { id: string; handle: string }; credentials: Credentials }

/** A platform to test against, with the controls that a test needs. */
export type TestPlatform = {
  transport: Transport
  origin(): string
  app: App
  connect(name: string): Promise<ConnectedAccount>
  /** What a person enters to connect this account, where there is no consent page. */
  fieldsOf(connected: ConnectedAccount): Record<string, string>
  /** Makes the next call of this kind by this account fail, and only that one. */
  failNext(handle: string, operation: Operation, fault: Fault): Promise<void>
  expireToken(handle: string): Promise<void>
  /** The posts of this account that people can see. Tests compare with these, not with what the connector returned. */
  posts(handle: string): Promise<VisiblePost[]>
  /** Gives the post figures, no two of them equal and none of them zero. */
  count(postId: string): Promise<void>
  /** Authorizes the app at this URL in a person's place, and returns the code from the redirect. */
  authorize(url: string, name: string): Promise<string>
  /** Files that can be read here and fetched by the platform. */
  files: Record<MediaKind, { bytes: Uint8Array; mimeType: string; url(): string }>
  /** Settings for every draft, for platforms whose default settings would make posts invisible to the test. */
  settings: Record<string, unknown>
  /** Does the platform show alt text? */
  showsAlt: boolean
  /** The longest paragraph that the platform shows as one; null if there is no limit but that of the text. */
  paragraphMax: number | null
  /** Do the platform's lists of posts contain the texts? */
  listsTexts: boolean
  /** The platform's clock. */
  nowMs(): number
  /** Waits as the server would, or moves the platform's clock. */
  wait(ms: number): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

import type { App, Credentials } from '../auth.ts'
import type { Transport } from '../http.ts'

export type Fault =
  | { kind: 'status'; status: number; retryAfterSeconds?: number; commit?: boolean }
  | { kind: 'drop_before' }
  | { kind: 'drop_after' }
  | { kind: 'slow_body'; bytesPerSecond: number }
  | { kind: 'huge_body'; bytes: number }
  | { kind: 'garbage'; commit?: boolean }
  | { kind: 'expired_token' }

export type Operation = 'submit' | 'stage' | 'find' | 'check' | 'token' | 'account' | 'any'

export type VisiblePost = { id: string; text: string; replyTo: string | null; deleted: boolean; media: { alt: string }[] }

type MediaKind = 'image' | 'video' | 'document'

/** A platform to test against, and the strings behind it. */
export type TestPlatform = {
  transport: Transport
  origin(): string
  app: App
  connect(name: string): Promise<{ account: { id: string; handle: string }; credentials: Credentials }>
  /** The next call of this kind by this account goes wrong, and only that one. */
  failNext(handle: string, operation: Operation, fault: Fault): Promise<void>
  expireToken(handle: string): Promise<void>
  /** What people can see of this account: the judge of every test. */
  posts(handle: string): Promise<VisiblePost[]>
  /** A person says yes at this address; the answer is the code in the redirect. */
  authorize(url: string, name: string): Promise<string>
  /** Files both readable and at an address the platform can fetch. */
  files: Record<MediaKind, { bytes: Uint8Array; mimeType: string; url(): string }>
  /** Settings every draft is made with, where the connector's defaults would hide what a test looks at. */
  settings: Record<string, unknown>
  /** Does the platform have alternative texts at all? */
  showsAlt: boolean
  start(): Promise<void>
  stop(): Promise<void>
}

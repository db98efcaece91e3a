import { failureReasons, type FailureReason } from '@carillon/contract'

/**
 * rejected: the content is refused permanently. limited: too many requests, retry after `retryAfterMs`. auth: the token is not accepted.
 * gone: the account or post no longer exists. unavailable: certainly not done, may work later. unknown: it may have been done.
 */
export type PlatformErrorKind = 'rejected' | 'limited' | 'auth' | 'gone' | 'unavailable' | 'unknown'

type ErrorDetails = {
  kind: PlatformErrorKind
  /** The platform's own code, for the person and the log. */
  platformCode: string | null
  /** A sentence for a person. */
  message: string
  /** Why, for clients that write their own sentence. Missing where only the kind is known. */
  reason?: FailureReason | undefined
  /** What the platform said, in its own words. */
  platformMessage?: string | null | undefined
  retryAfterMs?: number | undefined
  /** For something that the platform is still preparing: the waits before the first, second … check. The last one is repeated. */
  waitsMs?: readonly number[] | undefined
  /** Of a `rejected`: the reason may pass, for example because the platform could not fetch a file. It is tried a few more times. */
  isTemporary?: boolean | undefined
  /** Of a `rejected`: the platform already has the same post. It may be that of an earlier attempt, so it is looked for. */
  isDuplicate?: boolean | undefined
  /** The post of which this is a duplicate, if the platform names it. */
  existing?: ExistingPost | undefined
  cause?: unknown
}

export type ExistingPost = { postId: string; postUrl: string | null }

/** The only error a connector throws. */
export class PlatformError extends Error {
  readonly kind: PlatformErrorKind
  readonly platformCode: string | null
  readonly reason: FailureReason | null
  readonly platformMessage: string | null
  readonly retryAfterMs: number | null
  readonly waitsMs: readonly number[] | null
  readonly isTemporary: boolean
  readonly isDuplicate: boolean
  readonly existing: ExistingPost | null

  constructor(details: ErrorDetails) {
    super(details.message, { cause: details.cause })
    this.name = 'PlatformError'
    this.kind = details.kind
    this.platformCode = details.platformCode
    this.reason = details.reason ?? null
    this.platformMessage = details.platformMessage || null
    this.retryAfterMs = details.retryAfterMs ?? null
    this.waitsMs = details.waitsMs ?? null
    this.isTemporary = details.isTemporary ?? false
    this.isDuplicate = details.isDuplicate ?? false
    this.existing = details.existing ?? null
  }
}

/** What a person entered to connect an account cannot be used. */
export function refuseEntered(message: string): PlatformError {
  return new PlatformError({ kind: 'auth', platformCode: null, message })
}

type Explanation = { reason: FailureReason; message: string }

/** Explains errors of one platform: a reason, and its sentence with the platform's name. */
export function explainFor(platformName: string): (reason: FailureReason) => Explanation {
  return (reason) => ({ reason, message: failureReasons[reason].replaceAll('{platform}', platformName) })
}

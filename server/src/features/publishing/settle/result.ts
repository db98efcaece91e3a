import type { ChannelError } from '@carillon/contract'

/** What became of a try at a channel. */
export type Result =
  | { kind: 'published'; postId: string | null; postUrl: string | null; warnings: readonly string[]; atMs: number }
  | { kind: 'processing'; reference: string; checkAfterMs: number }
  | { kind: 'failed'; error: ChannelError }
  /** Certainly not done; to be tried again, with a new token if `renew`. */
  | { kind: 'later'; atMs: number; error: ChannelError; renew: boolean }
  /** It may have been done. */
  | { kind: 'unknown' }
  | { kind: 'unconfirmed'; error: ChannelError }

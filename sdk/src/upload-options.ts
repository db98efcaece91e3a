import type { CallOptions } from './operation.ts'
import type { MediaUpload } from './types.gen.ts'

/**
 * The parts of a file that have already been uploaded. It is plain data: it can be stored as JSON, and another process can resume the
 * upload from it.
 */
export type UploadCheckpoint = { upload: MediaUpload; parts: { partNumber: number; etag: string }[] }

export type UploadProgress = {
  sentBytes: number
  totalBytes: number
  /** For `resumeFrom`; null for a file that is sent in one request. */
  checkpoint: UploadCheckpoint | null
}

export type UploadOptions = Omit<CallOptions, 'idempotencyKey'> & {
  /** The name in the media library. Default: the name of the `File`. */
  name?: string
  onProgress?: (progress: UploadProgress) => void
  /** The last checkpoint of an interrupted upload, at most one day old. Parts that it lists are not sent again. */
  resumeFrom?: UploadCheckpoint
  /** Files of at least this size are sent in parts. Default: 16 MiB. */
  partsFromBytes?: number
  /** How many parts are sent at the same time. Default: 3. */
  partsAtOnce?: number
}

/** What the requests of an upload take of its options. */
export function callOptionsOf({ workspaceId, ifUpdatedAt, autosave, signal, timeoutMs }: UploadOptions): CallOptions {
  return Object.fromEntries(
    Object.entries({ workspaceId, ifUpdatedAt, autosave, signal, timeoutMs }).filter(([, value]) => value !== undefined),
  )
}

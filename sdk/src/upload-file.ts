import type { Body, CallOptions } from './operation.ts'
import { timeFor } from './send-part.ts'
import type { RetryPolicy } from './send-with-retries.ts'
import type { Media, MediaUpload } from './types.gen.ts'
import { uploadInParts } from './upload-in-parts.ts'

/** What has arrived of a file sent in parts. Plain data: it can be kept as JSON and gone on with by another program. */
export type UploadCheckpoint = { upload: MediaUpload; parts: { partNumber: number; etag: string }[] }

export type UploadProgress = {
  sentBytes: number
  totalBytes: number
  /** For `resumeFrom`; null for a file that is sent in one piece. */
  checkpoint: UploadCheckpoint | null
}

export type UploadOptions = Omit<CallOptions, 'idempotencyKey'> & {
  /** Its name in the library; that of the `File` unless given. */
  name?: string
  onProgress?: (progress: UploadProgress) => void
  /** The last checkpoint of an upload that broke off, within a day: what has arrived is not sent again. */
  resumeFrom?: UploadCheckpoint
  /** Files from this size on are sent in parts; 16 MiB unless given. */
  partsFromBytes?: number
  /** How many parts travel at the same time; 3 unless given. */
  partsAtOnce?: number
}

export type MediaMethods = {
  upload: (body: Body<'media.upload'>, options?: CallOptions) => Promise<Media>
  startUpload: (body: Body<'media.startUpload'>, options?: CallOptions) => Promise<MediaUpload>
  completeUpload: (id: string, body: Body<'media.completeUpload'>, options?: CallOptions) => Promise<Media>
}

const mebibyte = 1024 * 1024

/** Puts a file of any size into the library: a small one in one piece, a large one in parts, each repeated by itself when it gets lost. */
export function uploadFile(media: MediaMethods, policy: RetryPolicy) {
  return async function upload(file: Blob, options: UploadOptions = {}): Promise<Media> {
    const { partsFromBytes = 16 * mebibyte, name = nameOf(file) } = options
    if (options.resumeFrom || file.size >= partsFromBytes) return uploadInParts(media, policy, { file, name, options })
    const report = (sentBytes: number) => options.onProgress?.({ sentBytes, totalBytes: file.size, checkpoint: null })
    report(0)
    const timeoutMs = timeFor(file, options.timeoutMs ?? policy.timeoutMs)
    const made = await media.upload({ file: new File([file], name, { type: file.type }) }, { ...options, timeoutMs })
    report(file.size)
    return made
  }
}

function nameOf(file: Blob): string {
  return file instanceof File ? file.name : 'file'
}

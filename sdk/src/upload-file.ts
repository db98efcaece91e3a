import type { Body, CallOptions } from './operation.ts'
import { transferTimeoutMs } from './send-part.ts'
import type { RetryPolicy } from './send-with-retries.ts'
import type { Media } from './types.gen.ts'
import { uploadInParts, type PartUploadMethods } from './upload-in-parts.ts'
import { callOptionsOf, type UploadOptions } from './upload-options.ts'

type UploadMethods = PartUploadMethods & {
  upload: (body: Body<'media.upload'>, options?: CallOptions) => Promise<Media>
}

const mebibyte = 1024 * 1024

/**
 * Makes the method `media.uploadFile`, which uploads a file of any size to the media library: a small file in one request, a large one
 * in parts, each with its own retries.
 */
export function uploadFile(media: UploadMethods, policy: RetryPolicy) {
  return async function upload(file: Blob, options: UploadOptions = {}): Promise<Media> {
    const { partsFromBytes = 16 * mebibyte, name = nameOf(file) } = options
    if (options.resumeFrom || file.size >= partsFromBytes) return uploadInParts(media, policy, { file, name, options })
    const reportProgress = (sentBytes: number) => options.onProgress?.({ sentBytes, totalBytes: file.size, checkpoint: null })
    reportProgress(0)
    const timeoutMs = transferTimeoutMs(file, options.timeoutMs ?? policy.timeoutMs)
    const uploaded = await media.upload(
      { file: new File([file], name, { type: file.type }) },
      { ...callOptionsOf(options), timeoutMs },
    )
    reportProgress(file.size)
    return uploaded
  }
}

function nameOf(file: Blob): string {
  return file instanceof File ? file.name : 'file'
}

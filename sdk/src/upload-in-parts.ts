import type { Body, CallOptions } from './operation.ts'
import { sendPart } from './send-part.ts'
import type { RetryPolicy } from './send-with-retries.ts'
import type { Media, MediaUpload } from './types.gen.ts'
import { callOptionsOf, type UploadOptions } from './upload-options.ts'

export type PartUploadMethods = {
  startUpload: (body: Body<'media.startUpload'>, options?: CallOptions) => Promise<MediaUpload>
  completeUpload: (id: string, body: Body<'media.completeUpload'>, options?: CallOptions) => Promise<Media>
}

type FileToUpload = { file: Blob; name: string; options: UploadOptions }

/** Sends the missing parts of a file, several at a time. If it fails, the parts already sent remain and the upload can be resumed. */
export async function uploadInParts(
  media: PartUploadMethods,
  policy: RetryPolicy,
  { file, name, options }: FileToUpload,
): Promise<Media> {
  const { resumeFrom, onProgress, partsAtOnce = 3, signal, timeoutMs = policy.timeoutMs } = options
  const upload = resumeFrom?.upload ?? (await media.startUpload({ name, sizeBytes: file.size }, callOptionsOf(options)))
  const { partSizeBytes } = upload
  if (Math.ceil(file.size / partSizeBytes) !== upload.parts.length)
    throw new TypeError('This is not the file that the upload was started with: its size differs.')
  const bytesOf = (partNumber: number) => file.slice((partNumber - 1) * partSizeBytes, partNumber * partSizeBytes)

  const sentParts = [...(resumeFrom?.parts ?? [])]
  const sentPartsInOrder = () => sentParts.toSorted((a, b) => a.partNumber - b.partNumber)
  const reportProgress = () => {
    const sentBytes = sentParts.reduce((sum, { partNumber }) => sum + bytesOf(partNumber).size, 0)
    onProgress?.({ sentBytes, totalBytes: file.size, checkpoint: { upload, parts: sentPartsInOrder() } })
  }
  reportProgress()

  // All workers take parts from one iterator. The first worker that fails aborts the others.
  const sentNumbers = new Set(sentParts.map(({ partNumber }) => partNumber))
  const missing = upload.parts.filter(({ partNumber }) => !sentNumbers.has(partNumber)).values()
  const abort = new AbortController()
  const partSignal = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal
  const sendMissingParts = async () => {
    for (const { partNumber, url } of missing) {
      const etag = await sendPart({ partNumber, url, bytes: bytesOf(partNumber), signal: partSignal }, { ...policy, timeoutMs })
      sentParts.push({ partNumber, etag })
      reportProgress()
    }
  }
  const abortOthers = (error: unknown) => {
    abort.abort(error)
    throw error
  }
  await Promise.all(Array.from({ length: partsAtOnce }, () => sendMissingParts().catch(abortOthers)))
  return media.completeUpload(upload.id, { parts: sentPartsInOrder() }, callOptionsOf(options))
}

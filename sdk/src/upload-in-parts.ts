import { sendPart } from './send-part.ts'
import type { RetryPolicy } from './send-with-retries.ts'
import type { Media } from './types.gen.ts'
import type { MediaMethods, UploadOptions } from './upload-file.ts'

type Wanted = { file: Blob; name: string; options: UploadOptions }

/** Sends what is missing of a file, several parts at a time. When it fails, what has arrived stays, to be gone on with. */
export async function uploadInParts(media: MediaMethods, policy: RetryPolicy, { file, name, options }: Wanted): Promise<Media> {
  const { resumeFrom, onProgress, partsAtOnce = 3, signal, timeoutMs = policy.timeoutMs } = options
  const upload = resumeFrom?.upload ?? (await media.startUpload({ name, sizeBytes: file.size }, options))
  const { partSizeBytes } = upload
  if (Math.ceil(file.size / partSizeBytes) !== upload.parts.length)
    throw new TypeError('This is not the file the upload began with: its size is another.')
  const bytesOf = (partNumber: number) => file.slice((partNumber - 1) * partSizeBytes, partNumber * partSizeBytes)

  const arrived = [...(resumeFrom?.parts ?? [])]
  const inOrder = () => arrived.toSorted((a, b) => a.partNumber - b.partNumber)
  const report = () => {
    const sentBytes = arrived.reduce((sum, { partNumber }) => sum + bytesOf(partNumber).size, 0)
    onProgress?.({ sentBytes, totalBytes: file.size, checkpoint: { upload, parts: inOrder() } })
  }
  report()

  // All lanes take from one list, and the first that fails ends the others.
  const known = new Set(arrived.map(({ partNumber }) => partNumber))
  const missing = upload.parts.filter(({ partNumber }) => !known.has(partNumber)).values()
  const stop = new AbortController()
  const ends = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const lane = async () => {
    for (const { partNumber, url } of missing) {
      const etag = await sendPart({ partNumber, url, bytes: bytesOf(partNumber), signal: ends }, { ...policy, timeoutMs })
      arrived.push({ partNumber, etag })
      report()
    }
  }
  const stopOthers = (error: unknown) => {
    stop.abort(error)
    throw error
  }
  await Promise.all(Array.from({ length: partsAtOnce }, () => lane().catch(stopOthers)))
  return media.completeUpload(upload.id, { parts: inOrder() }, options)
}

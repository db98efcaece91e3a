import type { Media } from './connector.ts'
import { streamMedia } from './read-media.ts'

/** Constant, because a connector may not use random numbers. It is long enough not to occur in a file by accident. */
const boundary = 'carillon-3b1f6c0a9e5d47288d5c7e21f4a90b6e'

type StreamedForm = { body: ReadableStream<Uint8Array>; mimeType: string; sizeBytes: number }

/** A multipart form with one file, encoded while it is read, so that a video is never whole in memory. */
export async function streamMultipart(fileField: string, media: Media, fields: Record<string, string>): Promise<StreamedForm> {
  const encoder = new TextEncoder()
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  // A quote or a line break in the file name would end the header early.
  const name = media.name.replaceAll(/["\r\n\\]/g, '_')
  const disposition = `Content-Disposition: form-data; name="${fileField}"; filename="${name}"`
  const fileHead = `--${boundary}\r\n${disposition}\r\nContent-Type: ${media.mimeType}\r\n\r\n`
  const head = encoder.encode(parts.join('') + fileHead)
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  const file = await streamMedia(media)

  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(head),
    flush: (controller) => controller.enqueue(tail),
  })
  // The reader of the stream receives a failure too. It is caught here only so that it is not an unhandled rejection.
  file.pipeTo(writable).catch(() => undefined)
  return {
    body: readable,
    mimeType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: head.length + media.sizeBytes + tail.length,
  }
}

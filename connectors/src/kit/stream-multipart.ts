import type { Media } from './connector.ts'
import { streamMedia } from './read-media.ts'

/** Fixed, as a connector has no chance to draw on; long enough that no file holds it by accident. */
const boundary = 'carillon-3b1f6c0a9e5d47288d5c7e21f4a90b6e'

type StreamedForm = { body: ReadableStream<Uint8Array>; mimeType: string; sizeBytes: number }

/** A form with one file, written as it is read: a video never stands whole in memory. */
export async function streamMultipart(fileField: string, media: Media, fields: Record<string, string>): Promise<StreamedForm> {
  const encoder = new TextEncoder()
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  // A quote or line break in a file's name would end the header early.
  const name = media.name.replaceAll(/["\r\n\\]/g, '_')
  const fileHead = `--${boundary}\r\nContent-Disposition: form-data; name="${fileField}"; filename="${name}"\r\nContent-Type: ${media.mimeType}\r\n\r\n`
  const head = encoder.encode(parts.join('') + fileHead)
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  const file = await streamMedia(media)

  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(head),
    flush: (controller) => controller.enqueue(tail),
  })
  // A failure reaches whoever reads the other end; here it only must not go unhandled.
  file.pipeTo(writable).catch(() => undefined)
  return {
    body: readable,
    mimeType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: head.length + media.sizeBytes + tail.length,
  }
}

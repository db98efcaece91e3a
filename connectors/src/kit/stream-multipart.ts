import type { Media } from './connector.ts'
import { streamMedia, uploadTimeoutMs } from './read-media.ts'

/** Constant, because a connector may not use random numbers. It is long enough not to occur in a file by accident. */
const boundary = 'carillon-3b1f6c0a9e5d47288d5c7e21f4a90b6e'

type StreamedForm = { body: ReadableStream<Uint8Array>; mimeType: string; sizeBytes: number }

/** A multipart form with one file. */
export function streamMultipart(fileField: string, media: Media, fields: Record<string, string>): Promise<StreamedForm> {
  return streamFiles({ [fileField]: media }, fields)
}

/** A multipart form with files by their fields, encoded while they are read, so that a video is never whole in memory. */
export async function streamFiles(
  files: Readonly<Record<string, Media>>,
  fields: Readonly<Record<string, string>>,
): Promise<StreamedForm> {
  const encoder = new TextEncoder()
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const heads = Object.entries(files).map(([field, media], at) =>
    encoder.encode((at === 0 ? parts.join('') : '\r\n') + fileHead(field, media)),
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  // All are opened before anything is sent: a file that cannot be read is then certainly not half of a post.
  const media = Object.values(files)
  const streams = await Promise.all(media.map((file) => streamMedia(file)))
  const sizes = [...heads.map(({ length }) => length), ...media.map(({ sizeBytes }) => sizeBytes), tail.length]
  return {
    body: toStream(inOrder(heads, streams, tail)),
    mimeType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
  }
}

/** The parts of a call that sends a form: its body, its size, and the time that a slow connection needs for it. */
export function uploadOf({ body, mimeType, sizeBytes }: StreamedForm) {
  return {
    bytes: { body, mimeType },
    headers: { 'content-length': String(sizeBytes) },
    timeoutMs: uploadTimeoutMs(sizeBytes),
  }
}

function toStream(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return()),
  })
}

async function* inOrder(
  heads: readonly Uint8Array[],
  streams: readonly ReadableStream<Uint8Array>[],
  tail: Uint8Array,
): AsyncGenerator<Uint8Array, void> {
  try {
    for (const [at, stream] of streams.entries()) {
      yield heads[at] ?? new Uint8Array()
      yield* stream
    }
    yield tail
  } finally {
    // Those that are open because the request ended early. The others are closed already.
    await Promise.all(streams.map((stream) => stream.cancel().catch(() => undefined)))
  }
}

function fileHead(field: string, { name, mimeType }: Media): string {
  // A quote or a line break in the file name would end the header early.
  const filename = name.replaceAll(/["\r\n\\]/g, '_')
  const disposition = `Content-Disposition: form-data; name="${field}"; filename="${filename}"`
  return `--${boundary}\r\n${disposition}\r\nContent-Type: ${mimeType}\r\n\r\n`
}

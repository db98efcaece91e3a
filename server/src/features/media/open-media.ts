import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import type { Media } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import type { MediaRow } from './media.store.ts'

type StoredMedia = Pick<Media, 'name' | 'mimeType' | 'sizeBytes' | 'width' | 'height' | 'durationSeconds' | 'alt' | 'kind'> & {
  key: string
}

/** A file of the library in the shape that connectors use. Its bytes are read only on demand. */
export function openMedia(ctx: Context, row: MediaRow, alt = row.alt): Media {
  return openFile(ctx, {
    kind: row.type,
    name: row.name,
    mimeType: row.mime_type,
    sizeBytes: Number(row.size_bytes),
    width: row.width,
    height: row.height,
    durationSeconds: row.duration_seconds,
    alt,
    key: row.storage_key,
  })
}

export function openFile({ storage, config }: Context, { key, ...facts }: StoredMedia): Media {
  return {
    ...facts,
    read: async () => buffer(await storage.get(key)),
    stream: async (fromByte = 0) => {
      const range = fromByte === 0 ? undefined : { start: fromByte, end: facts.sizeBytes - 1 }
      return Readable.toWeb(await storage.get(key, range)) as ReadableStream<Uint8Array>
    },
    // Platforms may fetch the file much later, so this URL is valid for longer.
    url: () =>
      storage.signGet(key, {
        expiresInSeconds: config.media.pullSeconds,
        mimeType: facts.mimeType,
        fileName: facts.name,
        isAttachment: facts.kind === 'document',
      }),
  }
}

import type { Media } from './entities.ts'

const storedBytesMax = 8_000_000

/** Uploads of every platform. The key is also the path from which the feed loads the file. */
export class MediaStore {
  readonly #byKey = new Map<string, Media>()

  add(platform: string, media: Omit<Media, 'bytes' | 'sizeBytes' | 'attachedTo'> & { bytes: Buffer }): Media {
    const sizeBytes = media.bytes.length
    const bytes = sizeBytes > storedBytesMax ? undefined : media.bytes
    const stored: Media = { ...media, sizeBytes, bytes, attachedTo: undefined }
    this.#byKey.set(`${platform}/${stored.id}`, stored)
    return stored
  }

  find(platform: string, id: string): Media | undefined {
    return this.#byKey.get(`${platform}/${id}`)
  }

  all(): ReadonlyMap<string, Media> {
    return this.#byKey
  }

  restore(all: ReadonlyMap<string, Media>): void {
    this.#byKey.clear()
    for (const [key, media] of all) this.#byKey.set(key, media)
  }

  clear(): void {
    this.#byKey.clear()
  }
}

import type { Media } from './entities.ts'

/** Enough for a video from a phone. The total keeps a load test from filling the memory. */
const fileBytesMax = 64_000_000
const totalBytesMax = 256_000_000

/** Uploads of every platform. The key is also the path from which the feed loads the file. */
export class MediaStore {
  readonly #byKey = new Map<string, Media>()
  #totalBytes = 0

  add(platform: string, media: Omit<Media, 'bytes' | 'sizeBytes' | 'attachedTo'> & { bytes: Buffer }): Media {
    const sizeBytes = media.bytes.length
    const isKept = sizeBytes <= fileBytesMax && this.#totalBytes + sizeBytes <= totalBytesMax
    const bytes = isKept ? media.bytes : undefined
    if (isKept) this.#totalBytes += sizeBytes
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
    this.#totalBytes = 0
    for (const [key, media] of all) {
      this.#byKey.set(key, media)
      this.#totalBytes += media.bytes?.length ?? 0
    }
  }

  clear(): void {
    this.#byKey.clear()
    this.#totalBytes = 0
  }
}

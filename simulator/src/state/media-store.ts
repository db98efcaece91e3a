import type { Account } from './accounts.ts'

export type Media = {
  id: string
  account: Account
  mime: string
  sizeBytes: number
  /** Absent for large files: the feed shows a placeholder and the memory stays small. */
  bytes: Buffer | undefined
  alt: string
  /** The address it was fetched from, where the platform was given one instead of the bytes. */
  fetchedFrom?: string
  readyAtMs: number
  attachedTo: string | undefined
}

const keptBytesMax = 8_000_000

/** Uploads of every platform, by a key that is also the path the feed loads them from. */
export class MediaShelf {
  readonly #byKey = new Map<string, Media>()

  add(platform: string, media: Omit<Media, 'bytes' | 'sizeBytes' | 'attachedTo'> & { bytes: Buffer }): Media {
    const sizeBytes = media.bytes.length
    const kept: Media = { ...media, sizeBytes, bytes: sizeBytes > keptBytesMax ? undefined : media.bytes, attachedTo: undefined }
    this.#byKey.set(`${platform}/${kept.id}`, kept)
    return kept
  }

  find(platform: string, id: string): Media | undefined {
    return this.#byKey.get(`${platform}/${id}`)
  }

  clear(): void {
    this.#byKey.clear()
  }
}

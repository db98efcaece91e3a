import type { LinkCard } from '../platform.ts'
import type { Post } from '../state/entities.ts'

export type PostView = {
  platform: string
  handle: string
  id: string
  text: string
  url: string
  replyTo: string | null
  atMs: number
  deleted: boolean
  media: { id: string; mime: string; sizeBytes: number; alt: string; fetchedFrom: string | null }[]
  /** The card of the post's link, if the platform shows one. */
  link: LinkCard | null
}

export function viewPost(
  { platform, account, id, text, url, replyTo, atMs, deleted, media }: Post,
  link: LinkCard | undefined,
): PostView {
  const seen = media.map(({ id: mediaId, mime, sizeBytes, alt, fetchedFrom = null }) => ({
    id: mediaId,
    mime,
    sizeBytes,
    alt,
    fetchedFrom,
  }))
  return { platform, handle: account.handle, id, text, url, replyTo, atMs, deleted, media: seen, link: link ?? null }
}

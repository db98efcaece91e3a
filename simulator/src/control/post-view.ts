import type { Option } from '../page/list-options.ts'
import type { LinkCard } from '../platform.ts'
import type { Post, Tag } from '../state/entities.ts'

export type PostView = {
  platform: string
  handle: string
  id: string
  text: string
  url: string
  replyTo: string | null
  atMs: number
  deleted: boolean
  media: { id: string; mime: string; sizeBytes: number; alt: string; fetchedFrom: string | null; tags: readonly Tag[] }[]
  /** The card of the post's link, if the platform shows one. */
  link: LinkCard | null
  /** The other fields of the request that described the post, by their names in the platform's API with dots between the levels. */
  options: Record<string, string>
}

export function viewPost(
  { platform, account, id, text, url, replyTo, atMs, deleted, media }: Post,
  { link, options }: { link: LinkCard | undefined; options: readonly Option[] },
): PostView {
  const seen = media.map(({ id: mediaId, mime, sizeBytes, alt, fetchedFrom = null, tags = [] }) => ({
    id: mediaId,
    mime,
    sizeBytes,
    alt,
    fetchedFrom,
    tags,
  }))
  const named = Object.fromEntries(options.map(({ name, value }) => [name, value]))
  return {
    platform,
    handle: account.handle,
    id,
    text,
    url,
    replyTo,
    atMs,
    deleted,
    media: seen,
    link: link ?? null,
    options: named,
  }
}

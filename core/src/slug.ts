import type { Platform } from '@carillon/contract'

/** The name a connection goes by in requests, such as `mastodon-ada`; the first free number is added on a clash. */
export function connectionSlug(platform: Platform, handle: string, taken: (slug: string) => boolean): string {
  const slug = `${platform}-${handle.toLowerCase().replace(/[^a-z0-9._]/gu, '-')}`
  if (!taken(slug)) return slug
  for (let n = 2; ; n++) {
    const numbered = `${slug}-${n}`
    if (!taken(numbered)) return numbered
  }
}

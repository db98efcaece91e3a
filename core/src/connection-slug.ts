import type { Platform } from '@carillon/contract'

/** The name of a connection in requests, such as `<platform>-ada`. If the name is taken, the first free number is appended. */
export function connectionSlug(platform: Platform, handle: string, isTaken: (slug: string) => boolean): string {
  const slug = `${platform}-${handle.toLowerCase().replace(/[^a-z0-9._]/gu, '-')}`
  if (!isTaken(slug)) return slug
  for (let n = 2; ; n++) {
    const numbered = `${slug}-${n}`
    if (!isTaken(numbered)) return numbered
  }
}

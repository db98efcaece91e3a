/** The version of an object, as an ETag header. Every change of a draft gives it another `updatedAt`. */
export function etagOf(updatedAt: string | Date): string {
  return `"${typeof updatedAt === 'string' ? updatedAt : updatedAt.toISOString()}"`
}

/**
 * Does an If-Match header name this version? A weak ETag counts as well, although the standard says otherwise: proxies that compress a
 * response weaken its ETag, and the version is the same.
 */
export function matchesETag(ifMatch: string, etag: string): boolean {
  const named = ifMatch.split(',').map((each) => each.trim().replace(/^W\//i, ''))
  return named.includes('*') || named.includes(etag)
}

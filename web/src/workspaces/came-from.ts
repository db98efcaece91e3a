/** The pages that lead to a post, by the last part of their paths. */
const listing = /^\/w\/[^/]+\/(?<place>calendar|posts|media|analytics)$/
const followed = /^\/w\/[^/]+\/(?:posts\/|compose)/

const composer = /^\/w\/[^/]+\/compose/

export type Origin = { place: 'calendar' | 'posts' | 'media' | 'analytics'; href: string }

let origin: Origin | null = null
/** The last address outside of the composer. */
let beforeComposer: string | null = null

/** Remembers the page that is left, with its filters, so that the page of a post leads back to it. Edits of the post keep it. */
export function noteLeft({ pathname, href }: { pathname: string; href: string }): void {
  if (!composer.test(pathname)) beforeComposer = href
  const place = listing.exec(pathname)?.groups?.['place'] as Origin['place'] | undefined
  if (place !== undefined) origin = { place, href }
  else if (!followed.test(pathname)) origin = null
}

/** Where the person came from in this workspace; null after a reload, or from elsewhere. */
export function cameFrom(workspaceId: string): Origin | null {
  return origin?.href.startsWith(`/w/${workspaceId}/`) ? origin : null
}

/** The page that shows this post in its panel, if the person went to the composer from there. */
export function panelBefore(workspaceId: string, postId: string): string | null {
  if (!beforeComposer?.startsWith(`/w/${workspaceId}/`)) return null
  const { searchParams } = new URL(beforeComposer, 'http://localhost')
  // The router writes an id that could be read as a number in quotation marks.
  return searchParams.get('post')?.replaceAll('"', '') === postId ? beforeComposer : null
}

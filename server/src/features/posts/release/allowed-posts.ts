import type { Detail } from '@carillon/contract'
import { scopesAllow } from '@carillon/core'
import { missingScope } from '../../../infra/http/authenticate.ts'
import type { Principal } from '../../../infra/http/principal.ts'
import { problem } from '../../../infra/problem/problem.ts'

type Forbidden = Detail & { code: 'connection_not_allowed' }

/** The connections that the caller's API key may not publish to. */
export function listForbidden({ limits }: Principal, slugs: readonly string[]): Forbidden[] {
  const allowed = limits.posting?.connections
  if (!allowed) return []
  return slugs.flatMap((slug, index) => (allowed.includes(slug) ? [] : [forbiddenConnection(slug, index)]))
}

function forbiddenConnection(slug: string, index: number): Forbidden {
  const message = `This API key may not publish to ${slug}.`
  return { path: `connections[${index}]`, code: 'connection_not_allowed', message, params: { connection: slug } }
}

/** Refuses connections that the caller's API key may not publish to. */
export function requireAllowed(principal: Principal, slugs: readonly string[]): void {
  const details = listForbidden(principal, slugs)
  if (details.length > 0)
    throw problem('connection_not_allowed', { message: details.map(({ message }) => message).join(' '), details })
}

type StoredPost = { post: { status: string }; channels: readonly { connection_slug: string }[] }

/** Refuses a change of a post that has a channel on another account, and one of a post that is no draft to a key for drafts. */
export function requireChangeable(principal: Principal, { post, channels }: StoredPost): void {
  if (post.status !== 'draft' && !scopesAllow(principal.limits.scopes, 'content:publish')) throw missingScope('content:publish')
  requireAllowed(
    principal,
    channels.map((channel) => channel.connection_slug),
  )
}

import { findConnections, type LinkedAccount } from '../connections/find-connections.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem, type Detail } from '../../infra/problem/problem.ts'
import type { PostFields } from './post-fields.ts'

/** Finds the connections that a post names, in its order. Refuses unknown slugs, and options for connections that it does not name. */
export async function resolveTargets(scope: RequestScope, slugs: readonly string[], post: PostFields): Promise<LinkedAccount[]> {
  const known = await findConnections(scope, slugs)
  const missing = slugs.flatMap((slug, index): Detail[] =>
    known.has(slug) ? [] : [{ path: `connections[${index}]`, message: `The workspace has no connection "${slug}".` }],
  )
  if (missing.length > 0) {
    throw problem('connection_unknown', { message: missing.map(({ message }) => message).join(' '), details: missing })
  }
  const unknownOptions = Object.keys(post.platformOptions).filter((key) => !slugs.includes(key))
  if (unknownOptions.length > 0) {
    const details = unknownOptions.map((key) => ({
      path: `platformOptions.${key}`,
      message: `"${key}" is not one of this post’s connections.`,
    }))
    throw problem('request_invalid', { details })
  }
  return slugs.flatMap((slug) => known.get(slug) ?? [])
}

/** Refuses to publish to connections that a person must connect again first. */
export function requireConnected(targets: readonly LinkedAccount[]): void {
  const details = targets.flatMap((target, index): Detail[] =>
    target.needsReconnect
      ? [
          {
            path: `connections[${index}]`,
            message: `${target.slug} must be connected again: ${target.statusReason ?? 'its permission has ended'}.`,
          },
        ]
      : [],
  )
  if (details.length > 0) throw problem('connection_needs_reconnect', { details })
}

import { findConnections, type LinkedAccount } from '../connections/find-connections.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem, type Detail } from '../../infra/problem/problem.ts'
import type { PostFields } from './post-fields.ts'

/** The connections a post names, in its order. Refuses unknown slugs and options for connections it does not name. */
export async function resolveTargets(scope: RequestScope, slugs: readonly string[], post: PostFields): Promise<LinkedAccount[]> {
  const known = await findConnections(scope, slugs)
  const missing = slugs.flatMap((slug, at): Detail[] =>
    known.has(slug) ? [] : [{ path: `connections[${at}]`, message: `The workspace has no connection "${slug}".` }],
  )
  if (missing.length > 0) {
    throw problem('connection_unknown', { message: missing.map(({ message }) => message).join(' '), details: missing })
  }
  const strays = Object.keys(post.platformOptions).filter((key) => !slugs.includes(key))
  if (strays.length > 0) {
    const details = strays.map((key) => ({
      path: `platformOptions.${key}`,
      message: `"${key}" is not one of this post’s connections.`,
    }))
    throw problem('request_invalid', { details })
  }
  return slugs.flatMap((slug) => known.get(slug) ?? [])
}

/** Before anything is queued: no target may be waiting for its owner. */
export function refuseUnconnected(targets: readonly LinkedAccount[]): void {
  const details = targets.flatMap((target, at): Detail[] =>
    target.needsReconnect
      ? [
          {
            path: `connections[${at}]`,
            message: `${target.slug} must be connected again: ${target.statusReason ?? 'its permission has ended'}.`,
          },
        ]
      : [],
  )
  if (details.length > 0) throw problem('connection_needs_reconnect', { details })
}

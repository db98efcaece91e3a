import { findConnections, type LinkedAccount } from '../connections/find-connections.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import type { Detail } from '@carillon/contract'
import { problem } from '../../infra/problem/problem.ts'
import type { PostFields } from './post-fields.ts'
import { requireAllowed } from './release/allowed-posts.ts'

/** Finds the connections that a post names, in its order. Refuses unknown slugs, and options for connections that it does not name. */
export async function resolveTargets(scope: RequestScope, slugs: readonly string[], post: PostFields): Promise<LinkedAccount[]> {
  requireAllowed(scope.principal, slugs)
  const known = await findConnections(scope, slugs)
  const missing = slugs.flatMap((slug, index) => (known.has(slug) ? [] : [unknownConnection(slug, index)]))
  if (missing.length > 0) {
    throw problem('connection_unknown', { message: missing.map(({ message }) => message).join(' '), details: missing })
  }
  const unknownOptions = Object.keys(post.platformOptions).filter((key) => !slugs.includes(key))
  if (unknownOptions.length > 0) {
    const details = unknownOptions.map((key) => ({
      path: `platformOptions.${key}`,
      code: 'connection_unknown',
      params: { connection: key },
      message: `"${key}" is not one of this post’s connections.`,
    }))
    throw problem('request_invalid', { details })
  }
  return slugs.flatMap((slug) => known.get(slug) ?? [])
}

export function unknownConnection(slug: string, index: number): Detail {
  const message = `The workspace has no connection "${slug}".`
  return { path: `connections[${index}]`, code: 'connection_unknown', message, params: { connection: slug } }
}

/** Refuses to publish to connections that a person must connect again first. */
export function requireConnected(targets: readonly LinkedAccount[]): void {
  const details = targets.flatMap((target, index) => (target.needsReconnect ? [reconnectDetail(target, index)] : []))
  if (details.length > 0) throw problem('connection_needs_reconnect', { details })
}

export function reconnectDetail({ slug, statusReason }: LinkedAccount, index: number): Detail {
  // A reason may be the platform's own sentence, with or without a full stop.
  const reason = (statusReason ?? 'its permission has ended').trimEnd()
  const message = `${slug} must be connected again: ${reason}${reason.endsWith('.') ? '' : '.'}`
  return { path: `connections[${index}]`, code: 'connection_needs_reconnect', message, params: { connection: slug } }
}

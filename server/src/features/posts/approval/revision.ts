import { createHash } from 'node:crypto'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { findConnections } from '../../connections/find-connections.ts'
import { findAttached } from '../../media/attached-media.ts'
import { composeDraft } from '../complete-settings.ts'
import { fieldsForChannel, fieldsFromRow, hasOwnFiles } from '../post-fields.ts'
import type { PostWithChannels } from '../post.store.ts'

/** What one channel would send: its first post as it is composed for sending, its files, and what follows it. */
export type ComposedChannel = Awaited<ReturnType<typeof composeChannels>>[number]

/** What each channel of the post would send, in the order of their slugs. Without an account there is nothing to send. The post must be locked. */
export async function composeChannels(scope: RequestScope, { post, channels }: PostWithChannels) {
  const slugs = channels.filter(({ state }) => state !== 'canceled').map((channel) => channel.connection_slug)
  const accounts = await findConnections(scope, slugs)
  const attached = post.type === 'text' ? [] : await findAttached(scope.tx, post.workspace_id, [post.id])
  return slugs.toSorted().map((slug) => {
    const account = accounts.get(slug)
    if (!account) return { slug, account: null }
    const fields = fieldsForChannel(fieldsFromRow(post), slug)
    const own = hasOwnFiles(post.platform_options[slug]) ? slug : ''
    const files = attached.filter(({ connection }) => connection === own)
    const sent = files.map(({ row, alt }) => ({ id: row.id, sha256: row.sha256.toString('hex'), alt }))
    const { thread, firstComment, settings: given } = fields
    const draft = composeDraft(scope.ctx.connectors[account.platform], fields, sent)
    return { slug, account, draft, thread, firstComment, files, given }
  })
}

/**
 * A hash of exactly what the post would send, for each channel, and when: what sending composes of it, its files by content, and the account on
 * the platform. A wall time counts instead of its instant, which moves when a country changes its clocks. The post must be locked.
 */
export async function computeRevision(scope: RequestScope, found: PostWithChannels): Promise<string> {
  return hashRevision(found, await composeChannels(scope, found))
}

/** The revision of channels that were composed already. */
export function hashRevision({ post }: PostWithChannels, composed: readonly ComposedChannel[]): string {
  const parts = composed.map(({ slug, account, draft, thread, firstComment }) =>
    account === null ? { slug } : { slug, id: account.id, accountId: account.accountId, draft, thread, firstComment },
  )
  const time = post.scheduled_wall === null ? post.scheduled_at : { wall: post.scheduled_wall, timezone: post.timezone }
  const text = JSON.stringify({ parts, time, pending: post.pending_medias }, withSortedKeys)
  return createHash('sha256').update(text).digest('hex')
}

/** For JSON that is to be the same for the same values. */
export function withSortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Refuses to release anything but the revision that was submitted and that the caller looked at. The post must be locked. */
export async function requireRevision(scope: RequestScope, found: PostWithChannels, approved: string): Promise<void> {
  const { approval, approval_revision: submitted } = found.post
  if (approval !== 'pending') throw problem('not_submitted')
  if (submitted !== approved) throw problem('approval_changed')
  // The post itself ends its approval when it is changed. Files, alt texts and accounts may have been changed without it.
  if ((await computeRevision(scope, found)) !== approved)
    throw problem('approval_changed', {
      message: 'A file, an alt text or an account of the post was changed after it was submitted; it must be submitted again.',
    })
}

import { warningTexts, writeWarning } from '@carillon/contract'
import { isFinal } from '@carillon/core'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { newId } from '../../../infra/db/ids.ts'
import { recordPostChanges } from '../../events/outbox.store.ts'
import { lostAnswerWarning, replaceCommentWarnings } from '../../posts/comment-warnings.store.ts'
import type { Result } from './result.ts'
import type { NextPart, Settled } from './settle.store.ts'

/** Nothing can answer a post of which the platform's id is not known. */
export function nextPartOf(ctx: Context, { row, result, next }: Settled): NextPart[] {
  if (!row || !next || result.kind !== 'published' || result.postId === null) return []
  return [{ workspaceId: row.workspace_id, id: newId(ctx.nowMs()), afterId: row.id, ...next }]
}

/** What became of first comments is told by their channels, whose events were recorded before: open pages are told. */
export async function recordComments(ctx: Context, tx: Tx, settled: readonly Settled[]): Promise<void> {
  const ended = settled.flatMap(({ row, result }) =>
    row?.channel_id && isFinal(row.state) ? [{ ...row, channel_id: row.channel_id, warning: commentWarning(result) }] : [],
  )
  await replaceCommentWarnings(tx, ended)
  const posts = ended.map(({ workspace_id: workspaceId, post_id: postId }) => ({ workspaceId, postId }))
  await recordPostChanges(tx, posts, ctx.nowMs())
}

function commentWarning(result: Result): string | null {
  if (result.kind === 'published') return null
  if (result.kind !== 'failed') return lostAnswerWarning
  if (result.error.code === 'connection_removed') return warningTexts.comment_connection_removed
  if (result.error.reason === 'not_found' && result.error.code === 'not_published') return warningTexts.comment_not_found
  return writeWarning('comment_refused', { reason: result.error.message })
}

import { warningTexts, writeWarning } from '@carillon/contract'
import { isFinal } from '@carillon/core'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { newId } from '../../../infra/db/ids.ts'
import { recordPostChanges } from '../../events/outbox.store.ts'
import { channelError, threadStopped } from '../../posts/channel-error.ts'
import { isComment, lostAnswerWarning, replaceCommentWarnings, type ChangedPart, type NextPart } from '../../posts/part.store.ts'
import type { Result } from './result.ts'
import type { Settled } from './settle.store.ts'

/** The part after one that is published. Nothing can answer a post of which the platform's id is not known. */
export function nextPartOf(ctx: Context, { row, result, next }: Settled): NextPart[] {
  if (!row || !next || result.kind !== 'published') return []
  const { needsStage, afterMs, isThread, isDoubtful } = next
  const part = { workspaceId: row.workspace_id, id: newId(ctx.nowMs()), afterId: row.id, needsStage, afterMs }
  if (result.postId !== null && isDoubtful)
    return [{ ...part, transition: 'followInDoubt', error: JSON.stringify(channelError('restored')) }]
  if (result.postId !== null) return [{ ...part, transition: 'follow', error: null }]
  return isThread ? [{ ...part, transition: 'followInVain', error: JSON.stringify(threadStopped) }] : []
}

/**
 * The channels that the settled parts end: with the last post of a thread, or with the first that is not published. A first comment ends
 * nothing.
 */
export function endedChannels(rows: readonly ChangedPart[]): ChangedPart[] {
  return rows.flatMap((row) => {
    const { number, thread_parts: last, state, channel_id: channelId } = row
    const goesOn = number > last || (number < last && state === 'published')
    return goesOn ? [] : [{ ...row, id: channelId ?? row.id }]
  })
}

/** What became of first comments is told by their channels, whose events were recorded before: open pages are told. */
export async function recordComments(ctx: Context, tx: Tx, settled: readonly Settled[]): Promise<void> {
  const ended = settled.flatMap(({ row, result }) =>
    row?.channel_id && isComment(row) && isFinal(row.state)
      ? [{ ...row, channel_id: row.channel_id, warning: commentWarning(result) }]
      : [],
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

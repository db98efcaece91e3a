import { warningTexts } from '@carillon/contract'
import { StartError } from '../../infra/problem/problem.ts'
import type { Context } from '../../context.ts'
import { liftFence, lockCell, recordLoss, type Cell } from '../../infra/cell/cell.store.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { channelError } from '../posts/channel-error.ts'
import { isComment, replaceCommentWarnings } from '../posts/part.store.ts'
import { updatePostStatuses } from '../posts/update-post-statuses.ts'
import {
  doubtChannels,
  endSessions,
  leaveOutRest,
  listWorkspaceIds,
  recoverNow,
  stopAsking,
  type LostTime,
} from './restore.store.ts'

export type FinishedRestore = {
  epoch: number
  /** The same command was run before; nothing was changed. */
  wasFinished: boolean
  doubtedChannels: number
  doubtedComments: number
  endedSessions: number
  workspaces: number
}

/**
 * Finishes a restore, in one transaction: what may have been sent in the lost time is never sent again on a guess, and every workspace
 * learns what is missing. Running it again with the same times changes nothing.
 */
export async function finishRestore(ctx: Context, lost: LostTime): Promise<FinishedRestore> {
  if (lost.from > lost.until) throw new StartError('the lost time must start before it ends')
  if (lost.until.getTime() > ctx.nowMs()) throw new StartError('the lost time cannot end in the future')
  const atMs = ctx.nowMs()
  return ctx.db.system.transaction().execute(async (tx) => {
    const cell = await lockCell(tx)
    const none = { doubtedChannels: 0, doubtedComments: 0, endedSessions: 0, workspaces: 0 }
    if (isFinished(cell, lost)) return { epoch: cell.epoch, wasFinished: true, ...none }

    await stopAsking(tx)
    const doubted = await doubtChannels(tx, lost, channelError('restored'))
    await updatePostStatuses(
      tx,
      doubted.flatMap((part) => (isComment(part) ? [] : [{ ...part, id: part.channel_id ?? part.id }])),
      atMs,
    )
    const comments = doubted.flatMap(({ channel_id, ...part }) =>
      isComment(part) && channel_id !== null ? [{ ...part, channel_id, warning: warningTexts.comment_doubted }] : [],
    )
    await replaceCommentWarnings(tx, comments)
    const leftOut = await leaveOutRest(tx, { comment: warningTexts.comment_doubted, thread: warningTexts.thread_doubted })
    await recoverNow(tx)
    const endedSessions = await endSessions(tx)
    const workspaceIds = await listWorkspaceIds(tx)
    await recordEvents(
      tx,
      workspaceIds.map((workspaceId) => ({ workspaceId, event: 'workspace.restored' as const, atMs })),
    )
    await recordLoss(tx, lost)
    return {
      epoch: await liftFence(tx),
      wasFinished: false,
      doubtedChannels: doubted.length - comments.length,
      doubtedComments: comments.length + leftOut,
      endedSessions,
      workspaces: workspaceIds.length,
    }
  })
}

function isFinished({ fencedAt, lostFrom, lostUntil }: Cell, lost: LostTime): boolean {
  return fencedAt === null && lostFrom?.getTime() === lost.from.getTime() && lostUntil?.getTime() === lost.until.getTime()
}

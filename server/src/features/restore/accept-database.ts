import type { Context } from '../../context.ts'
import { liftFence, lockCell } from '../../infra/cell/cell.store.ts'
import { recoverNow } from './restore.store.ts'

/** Lifts a fence on an operator's word that nothing is missing. False when there was no fence. */
export async function acceptDatabase(ctx: Context): Promise<boolean> {
  return ctx.db.system.transaction().execute(async (tx) => {
    const cell = await lockCell(tx)
    if (!cell.fencedAt) return false
    await recoverNow(tx)
    await liftFence(tx)
    return true
  })
}

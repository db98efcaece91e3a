import type { Context } from '../../context.ts'
import { readCell } from './cell.store.ts'

/** For readiness: posts can be sent only while the cell is open. */
export type CellStatus = { status: 'open' | 'fenced' | 'unchecked'; epoch: number; reason: string | null }

/** `unchecked`: no worker has compared the database with its witness in the last 40 seconds. */
export async function cellStatus(ctx: Context): Promise<CellStatus> {
  const { epoch, isOpen, fencedAt, fenceReason } = await readCell(ctx.db.system)
  return { status: fencedAt ? 'fenced' : isOpen ? 'open' : 'unchecked', epoch, reason: fenceReason }
}

import type { Context } from '../context.ts'
import { saveBeat } from './heartbeat.store.ts'

export async function beat(ctx: Context, worker: string): Promise<void> {
  await saveBeat(ctx.db.system, worker)
}

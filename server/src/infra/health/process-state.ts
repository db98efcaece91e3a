import type { Context } from '../../context.ts'
import type { LoopStatus } from '../engine/run-loop.ts'

export type ProcessState = {
  /** True from the first stop signal on: running work is finished, new work is refused. */
  isDraining: boolean
  /** The loops of this process; empty unless it is a worker. */
  loops: readonly LoopStatus[]
}

function createProcessState(): { value: ProcessState } {
  return { value: { isDraining: false, loops: [] } }
}

/** What this process knows about itself and reports in its health checks. */
export function processState(ctx: Context): ProcessState {
  return ctx.resources.get(createProcessState, ctx)
}

import { service, type Context as Run } from '@restatedev/restate-sdk'
import type { Context } from '../context.ts'
import type { Errand } from '../engine/engine.ts'
import { beat } from './beat.ts'

/** A run that went from the engine to a worker and on to the database: the road every post takes. */
export function heartbeatWorkflow(ctx: Context) {
  return service({
    name: 'heartbeat',
    handlers: { beat: (run: Run, { worker }: { worker: string }) => run.run('beat', () => beat(ctx, worker)) },
  })
}

export const beatErrand = (worker: string): Errand => ({ service: 'heartbeat', handler: 'beat', payload: { worker } })

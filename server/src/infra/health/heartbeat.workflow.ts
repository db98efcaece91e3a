import { service, type Context as Run } from '@restatedev/restate-sdk'
import type { Context } from '../../context.ts'
import type { Job } from '../engine/engine.ts'
import { jobFactory, type HandlersOf } from '../engine/job-factory.ts'
import { saveHeartbeat } from './heartbeat.store.ts'

type HeartbeatJobs = { beat: { worker: string } }

const name = 'heartbeat'

/** A run from the engine to a worker and on to the database: the same path that every post takes. */
export function heartbeatWorkflow(ctx: Context) {
  const handlers: HandlersOf<HeartbeatJobs, Run> = {
    beat: (run, { worker }) => run.run('beat', () => saveHeartbeat(ctx.db.system, worker)),
  }
  return service({ name, handlers })
}

export const heartbeatJob = (worker: string): Job => jobFactory<HeartbeatJobs>(name)('beat', { worker })

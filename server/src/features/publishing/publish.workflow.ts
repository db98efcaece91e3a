import { handlers as restate, service, type Context as Run } from '@restatedev/restate-sdk'
import type { Context } from '../../context.ts'
import { sendsKeptMs } from '../../infra/cell/read-engine-witness.ts'
import type { HandlersOf } from '../../infra/engine/job-factory.ts'
import { enqueueAll, retryPolicy, runStep } from '../../infra/engine/retry-policy.ts'
import { renewalOf } from '../connections/renew.workflow.ts'
import { checkJob, prepareJob, publishService, recoverJob, type Batch, type Preparation, type PublishJobs } from './jobs.ts'
import { filesOf } from './prepare/fetch.workflow.ts'
import { findNeeds, prepareSoon, stageChannel } from './prepare/stage-channel.ts'
import { waitForToken } from './prepare/wait-for-token.ts'
import { checkProcessing } from './recover/check-processing.ts'
import { recoverChannels } from './recover/recover-channel.ts'
import { runOnServers } from './run-on-servers.ts'
import { submitBatch } from './send/submit-batch.ts'
import { settle } from './settle/settle.ts'

/**
 * How a due channel reaches its platform, as short runs: prepare before the due time when there is something to prepare, submit at the due
 * time, then recover or check only where an answer is missing. The state of each channel is in PostgreSQL; a run holds ids and results.
 */
export function publishWorkflow(ctx: Context) {
  const handlers: HandlersOf<PublishJobs, Run> = {
    // While it waits for another run, it gives its place back to the engine after a second.
    prepare: restate.handler({ inactivityTimeout: 1_000 }, async (run: Run, preparation: Preparation): Promise<void> => {
      // 1. A token that is still valid at the due time, renewed by one run at a time per connection.
      const need = await run.run('needs', () => findNeeds(ctx, preparation))
      const renewal = need.renewal && (await renewalOf(run, need.renewal.connection).renew({ seenAtMs: need.renewal.seenAtMs }))
      if (renewal?.outcome === 'pending') return runStep(run, 'later', () => prepareSoon(ctx, preparation))
      if (renewal && renewal.outcome !== 'renewed') return runStep(run, 'wait', () => waitForToken(ctx, preparation, renewal))
      // 2. Files that are still at a remote address, fetched by one run for all channels of the post.
      const isFetched = need.post ? await filesOf(run, need.post).fetch() : true
      if (!isFetched) return runStep(run, 'later', () => prepareSoon(ctx, preparation))
      // 3. Whatever can be made before the due time. Then the channel returns to the schedule, prepared.
      await runStep(run, 'stage', () =>
        runOnServers(ctx, [preparation], {
          states: ['dispatched'],
          job: () => prepareJob(preparation),
          work: () => stageChannel(ctx, preparation),
        }),
      )
    }),
    // Its journal is kept for an hour: after a failover it tells which guards the database must have.
    submit: restate.handler({ journalRetention: sendsKeptMs }, async (run: Run, batch: Batch) => {
      // What the platform answered is the journaled result of a step; storing it is a step of its own. So an answer is kept even if the
      // database is away at this moment.
      const { finished, jobs } = await submitBatch(ctx, batch, (step, work) => run.run(step, work))
      enqueueAll(run, jobs)
      if (finished.length > 0) await runStep(run, 'settle', () => settle(ctx, finished))
    }),
    settle: (run, finished) => runStep(run, 'settle', () => settle(ctx, finished)),
    recover: (run, inquiry) =>
      runStep(run, 'recover', () =>
        runOnServers(ctx, inquiry.refs, {
          states: ['submitting'],
          job: (refs) => recoverJob({ ...inquiry, refs }),
          work: (refs) => recoverChannels(ctx, { ...inquiry, refs }),
        }),
      ),
    check: (run, { ref, round }) =>
      runStep(run, 'check', () =>
        runOnServers(ctx, [ref], {
          states: ['confirming'],
          job: () => checkJob(ref, round, 0),
          work: () => checkProcessing(ctx, ref, round),
        }),
      ),
  }
  return service({ name: publishService, handlers, options: { retryPolicy } })
}

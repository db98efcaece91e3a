import { service, type Context as Run } from '@restatedev/restate-sdk'
import type { Context } from '../context.ts'
import { journaled } from '../engine/journal.ts'
import { renewalOf } from '../connections/renew.workflow.ts'
import { checkProcessing } from './check-processing.ts'
import { publishService, type Batch, type Inquiry, type Ticket } from './errands.ts'
import { sendComment } from './send-comment.ts'
import { filesOf } from './fetch.workflow.ts'
import { findNeeds, stageChannel } from './stage-channel.ts'
import { recoverChannels } from './recover-channel.ts'
import { submitBatch } from './submit-batch.ts'

/**
 * How a due channel reaches its platform. Short runs: prepare before the due time when there is something to prepare, submit at it, then
 * recover or check only where an answer is missing. Where each channel stands is in PostgreSQL; a run carries ids.
 */
export function publishWorkflow(ctx: Context) {
  return service({
    name: publishService,
    handlers: {
      prepare: async (run: Run, ticket: Ticket) => {
        // 1. A token that will be alive at the due time, asked for by one run at a time per connection.
        const need = await run.run('needs', () => findNeeds(ctx, ticket))
        if (need.renewal) await renewalOf(run, need.renewal.connection).renew({ seenAtMs: need.renewal.seenAtMs })
        // 2. Files that are still at an address somewhere, fetched by one run for all channels of the post.
        if (need.post) await filesOf(run, need.post).fetch()
        // 3. What can be made before the due time; then back into the schedule, ready.
        await journaled(run, 'stage', () => stageChannel(ctx, ticket))
      },
      submit: (run: Run, batch: Batch) => journaled(run, 'submit', () => submitBatch(ctx, batch)),
      recover: (run: Run, inquiry: Inquiry) => journaled(run, 'recover', () => recoverChannels(ctx, inquiry)),
      check: (run: Run, { ticket, round }: { ticket: Ticket; round: number }) =>
        journaled(run, 'check', () => checkProcessing(ctx, ticket, round)),
      comment: (run: Run, ticket: Ticket) => journaled(run, 'comment', () => sendComment(ctx, ticket)),
    },
  })
}

import { availableParallelism } from 'node:os'
import type { Context } from '../../../context.ts'
import { getMetrics } from '../../../infra/metrics/get-metrics.ts'
import { createFairQueue } from '../../../infra/queue/create-fair-queue.ts'

/** The workspace whose file is opened. It waits in the queue for its own files only. */
export type DecodeOwner = { ctx: Context; workspaceId: string }

/** inspect: a few seconds at most, and a person waits for it. render: a video may take ten minutes. */
export type DecodeQueueName = 'inspect' | 'render'

/** Memory is limited per program, so their number is limited too: one per processor, but at least two, so that workspaces can share. */
export const decodeSlots = Math.max(2, availableParallelism())

/** A render takes long and is not interrupted, therefore one workspace never gets all slots for renders. */
function createDecodeQueues() {
  return {
    value: {
      inspect: createFairQueue({ slots: decodeSlots }),
      render: createFairQueue({ slots: decodeSlots, perWorkspaceMax: decodeSlots - 1 }),
    },
  }
}

/** Runs a program that opens an untrusted file, as soon as it is the workspace's turn. */
export function runQueued<T>({ ctx, workspaceId }: DecodeOwner, queue: DecodeQueueName, task: () => Promise<T>): Promise<T> {
  const { decodersRunning, decodersWaiting } = getMetrics(ctx)
  decodersWaiting.inc({ queue })
  return ctx.resources.get(createDecodeQueues, ctx)[queue].run({ workspaceId }, async () => {
    decodersWaiting.dec({ queue })
    decodersRunning.inc({ queue })
    try {
      return await task()
    } finally {
      decodersRunning.dec({ queue })
    }
  })
}

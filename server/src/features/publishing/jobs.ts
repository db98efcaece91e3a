import { sendingRun } from '../../infra/cell/read-engine-witness.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { jobFactory } from '../../infra/engine/job-factory.ts'
import type { Finished, Progress } from './settle/result.ts'
import type { ChannelRef } from './channel-ref.ts'

/** Channels of one platform that are sent by one job. */
export type Batch = {
  platform: string
  refs: readonly ChannelRef[]
  /** The earliest due time among them: a late batch is checked against the workspaces' late policy. */
  dueAtMs: number
  /** For channels that are traced: the spans (traceparent) that their jobs continue. */
  traces?: Readonly<Record<string, string>>
}

/** Channels without an answer, and how often the platform has been asked about them. */
export type Inquiry = Progress & { refs: readonly ChannelRef[] }

/** A channel to be prepared. `refusedTokenAtMs`: the platform refused the token that was issued then, so it has to be renewed first. */
export type Preparation = ChannelRef & { refusedTokenAtMs?: number }

export type PublishJobs = {
  prepare: Preparation
  submit: Batch
  settle: readonly Finished[]
  recover: Inquiry
  check: { ref: ChannelRef; round: number }
}

export const publishService = sendingRun.service

const job = jobFactory<PublishJobs>(publishService)

export const prepareJob = (preparation: Preparation, delayMs = 0): Job => job('prepare', preparation, { delayMs })

export const filesService = 'post'

/** Fetches the files of a post that are still at a remote address. */
export const fetchJob = ({ workspaceId, id }: { workspaceId: string; id: string }): Job => ({
  service: filesService,
  key: `${workspaceId}/${id}`,
  handler: 'fetch',
  payload: null,
})

export const submitJob = (batch: Batch, delayMs = 0): Job => {
  const [traceparent, another] = Object.values(batch.traces ?? {})
  // A job of several traces belongs to none of them.
  const isOne = traceparent !== undefined && another === undefined
  return { ...job('submit', batch, { delayMs }), ...(isOne && { traceparent }) }
}

/** Stores results that the process which has them could not store by itself. */
export const settleJob = (finished: readonly Finished[]): Job => job('settle', finished)

/** Finds out what became of sends whose answer is missing. */
export const recoverJob = (inquiry: Inquiry, delayMs = 0): Job => job('recover', inquiry, { delayMs })

/** No job for no channels. */
export const recoverJobs = (inquiry: Inquiry, delayMs: number): Job[] =>
  inquiry.refs.length > 0 ? [recoverJob(inquiry, delayMs)] : []

/** Asks the platform about a post that it is still processing. */
export const checkJob = (ref: ChannelRef, round: number, delayMs: number): Job => job('check', { ref, round }, { delayMs })

import type { Job } from '../../infra/engine/engine.ts'
import { jobFactory } from '../../infra/engine/job-factory.ts'

/** A channel as a job names it. A job whose generation is older than the channel's does nothing. */
export type ChannelRef = { workspaceId: string; channelId: string; generation: number }

/** Channels of one platform that are sent by one job. */
export type Batch = { platform: string; refs: readonly ChannelRef[] }

/** Channels without an answer, and how often the platform has been asked about them. */
export type Inquiry = { refs: readonly ChannelRef[]; round: number }

export type PublishJobs = {
  prepare: ChannelRef
  submit: Batch
  recover: Inquiry
  check: { ref: ChannelRef; round: number }
  comment: ChannelRef
}

export const publishService = 'publish'

const job = jobFactory<PublishJobs>(publishService)

export const prepareJob = (ref: ChannelRef): Job => job('prepare', ref)

export const submitJob = (batch: Batch, delayMs = 0): Job => job('submit', batch, { delayMs })

/** Finds out what became of sends whose answer is missing; no job for no channels. */
export const recoverJobs = (refs: readonly ChannelRef[], round: number, delayMs: number): Job[] =>
  refs.length > 0 ? [job('recover', { refs, round }, { delayMs })] : []

/** Asks the platform about a post that it is still processing. */
export const checkJob = (ref: ChannelRef, round: number, delayMs: number): Job => job('check', { ref, round }, { delayMs })

export const commentJob = (ref: ChannelRef): Job => job('comment', ref)

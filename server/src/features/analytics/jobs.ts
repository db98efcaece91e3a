import type { Job } from '../../infra/engine/engine.ts'
import { jobFactory } from '../../infra/engine/job-factory.ts'

/** A connection's pull as a job names it. A job whose generation is older than the pull's does nothing. */
export type PullRef = { workspaceId: string; connectionId: string; generation: number }

export type MetricsJobs = { pull: PullRef }

export const metricsService = 'metrics'

const job = jobFactory<MetricsJobs>(metricsService)

export const pullJob = (ref: PullRef): Job => job('pull', ref, { key: `${ref.workspaceId}/${ref.connectionId}` })

/** Enqueuing the same pull twice makes one job. */
export function jobKey({ workspaceId, connectionId, generation }: PullRef): string {
  return `${workspaceId}/${connectionId}:${generation}`
}

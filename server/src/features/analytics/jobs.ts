import type { Job } from '../../infra/engine/engine.ts'
import { jobFactory } from '../../infra/engine/job-factory.ts'

/** A connection's pull as a job names it. A job whose generation is older than the pull's does nothing. */
export type PullRef = { workspaceId: string; connectionId: string; generation: number }

/** `renewingSinceMs`: the platform rejected the token then, and a renewal was enqueued. */
export type Pull = PullRef & { renewingSinceMs?: number }

export type MetricsJobs = { pull: Pull }

export const metricsService = 'metrics'

const job = jobFactory<MetricsJobs>(metricsService)

export const pullJob = (pull: Pull, delayMs = 0): Job =>
  job('pull', pull, { key: `${pull.workspaceId}/${pull.connectionId}`, delayMs })

/** Enqueuing the same pull twice makes one job. */
export function jobKey({ workspaceId, connectionId, generation }: PullRef): string {
  return `${workspaceId}/${connectionId}:${generation}`
}

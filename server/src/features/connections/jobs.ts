import type { Job } from '../../infra/engine/engine.ts'
import { jobFactory } from '../../infra/engine/job-factory.ts'

export type ConnectionKey = { workspaceId: string; id: string }

/** `seenAtMs`: a token that was renewed after this moment is new enough. */
export type ConnectionJobs = { renew: { seenAtMs: number } }

/**
 * renewed: the connection has a token that is newer than `seenAtMs`. refused: it must be connected again, or it is gone. unavailable: the
 * platform gave no clear answer, nothing is marked, and a renewal before `retryAfterMs` has passed does not call the platform.
 */
export type RenewalResult = { outcome: 'renewed' } | { outcome: 'refused' } | { outcome: 'unavailable'; retryAfterMs: number }

export type ConnectionResults = { renew: RenewalResult }

export const connectionService = 'connection'

const job = jobFactory<ConnectionJobs>(connectionService)

export const connectionJobKey = ({ workspaceId, id }: ConnectionKey): string => `${workspaceId}/${id}`

export const renewJob = (connection: ConnectionKey, seenAtMs: number, delayMs = 0): Job =>
  job('renew', { seenAtMs }, { key: connectionJobKey(connection), delayMs })

import type { Job } from '../../infra/engine/engine.ts'
import { jobFactory } from '../../infra/engine/job-factory.ts'

export type ConnectionKey = { workspaceId: string; id: string }

/** `seenAtMs`: a token that was renewed after this moment is new enough. */
export type ConnectionJobs = { renew: { seenAtMs: number } }

export const connectionService = 'connection'

const job = jobFactory<ConnectionJobs>(connectionService)

export const connectionJobKey = ({ workspaceId, id }: ConnectionKey): string => `${workspaceId}/${id}`

export const renewJob = (connection: ConnectionKey, seenAtMs: number): Job =>
  job('renew', { seenAtMs }, { key: connectionJobKey(connection) })

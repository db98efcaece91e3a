import type { Job } from '../../infra/engine/engine.ts'
import { jobFactory } from '../../infra/engine/job-factory.ts'

export type ConnectionKey = { workspaceId: string; id: string }

/** `seenAtMs`: a token that was renewed after this moment is new enough. */
export type ConnectionJobs = {
  renew: { seenAtMs: number }
  /** Stores an answer of the platform that no run waits for. */
  store: TokenAnswer
}

/**
 * renewed: the connection has a token that is newer than `seenAtMs`. refused: it must be connected again, or it is gone. unavailable: the
 * platform gave no clear answer, nothing is marked, and a renewal before `retryAfterMs` has passed does not call the platform. pending: the
 * platform has been asked and has not answered yet.
 */
export type RenewalResult =
  | { outcome: 'renewed' }
  | { outcome: 'refused' }
  | { outcome: 'unavailable'; retryAfterMs: number }
  | { outcome: 'pending' }

/**
 * What became of a request for a new token. It is stored in the engine's journal, so credentials are in it only encrypted. `replacedAtMs`
 * is when the token that it replaces was issued.
 */
export type TokenAnswer =
  | { kind: 'not_requested'; result: RenewalResult }
  | { kind: 'issued'; replacedAtMs: number; atMs: number; sealed: string; expiresAtMs: number | null; isRenewable?: boolean }
  | { kind: 'refused'; replacedAtMs: number; reason: string; isGone?: boolean }
  | { kind: 'unavailable'; replacedAtMs: number; atMs: number; failures: number; retryAfterMs: number }

export type ConnectionResults = { renew: RenewalResult }

export const connectionService = 'connection'

const job = jobFactory<ConnectionJobs>(connectionService)

export const connectionJobKey = ({ workspaceId, id }: ConnectionKey): string => `${workspaceId}/${id}`

export const renewJob = (connection: ConnectionKey, seenAtMs: number, delayMs = 0): Job =>
  job('renew', { seenAtMs }, { key: connectionJobKey(connection), delayMs })

export const storeTokenJob = (connection: ConnectionKey, answer: TokenAnswer): Job =>
  job('store', answer, { key: connectionJobKey(connection) })

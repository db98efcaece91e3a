import { connectionLimits } from './connection-limits.ts'

type StatementLimits = { tenantStatementSeconds: number; systemStatementSeconds: number }

/**
 * Our statements take milliseconds, and compiling one takes hundreds. PostgreSQL compiles what it thinks is expensive; before PostgreSQL 18 that is
 * every statement which does what `readsByKey` forbids.
 */
const everySession = { TimeZone: 'UTC', jit: 'off' } as const

/** The system role always reads by key. Without these settings, a plan made while the tables were small would scan them. */
const readsByKey = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' } as const

/** The settings of a session by its role that are the same in every install. */
export const sessionSettings = {
  carillon_app: everySession,
  carillon_system: { ...everySession, ...readsByKey },
} as const

/**
 * All settings of a session by its role. Connections to PostgreSQL itself have them in their start-up options; behind a pooler, which refuses
 * such options, they are the defaults of the logins.
 */
export function sessionDefaults({ tenantStatementSeconds, systemStatementSeconds }: StatementLimits) {
  return {
    carillon_app: { ...sessionSettings.carillon_app, ...limits(tenantStatementSeconds) },
    carillon_system: { ...sessionSettings.carillon_system, ...limits(systemStatementSeconds) },
  }
}

function limits(statementSeconds: number): Record<string, string> {
  const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout } = connectionLimits(statementSeconds * 1000)
  return {
    statement_timeout: String(statement_timeout),
    lock_timeout: String(lock_timeout),
    idle_in_transaction_session_timeout: String(idle_in_transaction_session_timeout),
  }
}

import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { listAccountEntries } from '../audit/account-entry.store.ts'
import { findSessionHolder } from './find-session-holder.ts'
import { sessionCookie } from './cookies/session-cookie.ts'

const entriesMax = 100

/** The newest entries in the audit log of the person who is signed in. */
export async function listActivity(ctx: Context, request: FastifyRequest) {
  const cookie = sessionCookie(ctx.config, request.headers.cookie)
  const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, null)
  if (!holder) throw problem('session_ended')
  const rows = await listAccountEntries(ctx.db.system, holder.personId, entriesMax)
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    detail: row.detail,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    traceId: row.trace_id,
  }))
}

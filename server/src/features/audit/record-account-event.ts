import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { insertAccountEntry } from './account-entry.store.ts'

export type AccountAction =
  | 'sign_in'
  | 'sign_in.failed'
  | 'sign_out'
  | 'session.revoke'
  | 'password.wrong'
  | 'password.change'
  | 'password.reset'
  | 'sign_in_link.create'
  | 'address.request'
  | 'address.change'
  | 'address.assign'
  | 'two_factor.start'
  | 'two_factor.enable'
  | 'two_factor.disable'
  | 'two_factor.backup_codes'
  | 'passkey.add'
  | 'passkey.remove'
  | 'sign_in_method.remove'
  | 'profile.change'
  | 'platform_app.save'
  | 'platform_app.remove'
  | 'account_webhook.create'
  | 'account_webhook.update'
  | 'account_webhook.remove'
  | 'account_webhook.rotate_secret'

export type AccountEvent = {
  personId: string
  action: AccountAction
  /** For a sign-in, how; for a developer app, of which platform; for a webhook, its host; for a changed address, both. */
  detail?: string
  ipAddress: string | null
  userAgent: string | null
  traceId: string
}

const userAgentMax = 300

/** Writes what happened to an account into the audit log of its person. */
export async function recordAccountEvent({ nowMs }: Context, db: Db | Tx, event: AccountEvent): Promise<void> {
  const { personId, action, detail = null, ipAddress, userAgent, traceId } = event
  await insertAccountEntry(db, {
    person_id: personId,
    id: newUuid(),
    at: new Date(nowMs()),
    action,
    detail,
    ip_address: ipAddress,
    user_agent: userAgent?.slice(0, userAgentMax) ?? null,
    trace_id: traceId,
  })
}

import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Change } from '../../infra/http/http-hooks.ts'
import { type ChangeName, recordEvents } from '../events/outbox.store.ts'
import { hasRecentEntry, insertAccountEntry, insertAuditEntry } from './audit.store.ts'

/** Changes that a program saves while a person writes have at most one entry in this time, for the person and the object. */
const autosaveMs = 600_000

/**
 * The change that open pages are told about, by the subject of an audited action. Actions of the subjects that are not listed change
 * nothing that a page shows.
 */
const changeOfSubject: Readonly<Record<string, ChangeName>> = {
  post: 'post.changed',
  channel: 'post.changed',
  media: 'media.changed',
  connection: 'connection.changed',
  workspace: 'workspace.changed',
  member: 'workspace.changed',
  invitation: 'workspace.changed',
  api_key: 'workspace.changed',
  grant: 'workspace.changed',
  webhook: 'workspace.changed',
  queue: 'workspace.changed',
  series: 'workspace.changed',
  label: 'workspace.changed',
  note: 'workspace.changed',
  import: 'workspace.changed',
  approval_link: 'workspace.changed',
  report: 'workspace.changed',
}

/**
 * Actions without a change of their own. Creating, scheduling, submitting and approving a post records an event of its own, or the event that it is being
 * published follows; this is the busiest path of the API, so nothing is written twice. An upload changes the library when it is complete.
 */
const silent: ReadonlySet<string> = new Set([
  'post.create',
  'post.reschedule',
  'post.enqueue',
  'post.bulk_reschedule',
  'post.submit',
  'post.approve',
  'post.request_changes',
  'media.start_upload',
  'media.create_upload_ticket',
  'media.abort_upload',
  'workspace.create',
  'workspace.delete',
])

/** Writes an audit entry in the transaction that makes the change, and records the change for the pages that are open. */
export async function recordChange(tx: Tx, { action, subjectId, by, nowMs, traceId, isAutosave }: Change): Promise<void> {
  const { workspaceId, personId, apiKeyId } = by
  const entry = { workspaceId, id: newUuid(), atMs: nowMs, personId, apiKeyId, action, subjectId, traceId }
  const isRecent =
    isAutosave && (await hasRecentEntry(tx, { workspaceId, personId, action, subjectId, sinceMs: nowMs - autosaveMs }))
  const event = changeOfAction(action)
  // Both statements are sent at once.
  await Promise.all([
    !isRecent && insertAuditEntry(tx, entry),
    event && recordEvents(tx, [{ workspaceId, event, subjectId, personId, atMs: nowMs }]),
  ])
}

function changeOfAction(action: string): ChangeName | null {
  return silent.has(action) ? null : (changeOfSubject[action.split('.')[0] ?? ''] ?? null)
}

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

type AccountEvent = {
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

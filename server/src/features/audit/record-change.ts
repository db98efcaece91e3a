import type { Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Change } from '../../infra/http/http-hooks.ts'
import { recordEvents, type ChangeName } from '../events/outbox.store.ts'
import { hasRecentEntry, insertAuditEntry } from './audit.store.ts'

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
  webhook: 'workspace.changed',
  queue: 'workspace.changed',
  label: 'workspace.changed',
  note: 'workspace.changed',
  import: 'workspace.changed',
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

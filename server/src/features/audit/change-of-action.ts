import type { ChangeName } from '../events/outbox.store.ts'

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

export function changeOfAction(action: string): ChangeName | null {
  return silent.has(action) ? null : (changeOfSubject[action.split('.')[0] ?? ''] ?? null)
}

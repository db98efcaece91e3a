import type { EventName } from '@carillon/sdk'

/** `webhook.test` is sent by the test button only. */
type ChosenEvent = Exclude<EventName, 'webhook.test'>

/** The events that a webhook can ask for. */
export const eventNames = [
  'upload.completed',
  'upload.partial_failure',
  'upload.failed',
  'upload.scheduled',
  'upload.publishing',
  'content.submitted',
  'content.approved',
  'content.changes_requested',
  'channel.published',
  'channel.failed',
  'channel.unconfirmed',
  'connection.expiring',
  'connection.needs_reconnect',
  'workspace.restored',
] as const satisfies readonly ChosenEvent[]

/** What is asked for at first: what most receivers need. */
export const eventsAtFirst: readonly EventName[] = ['upload.completed', 'upload.partial_failure', 'upload.failed']

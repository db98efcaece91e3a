import { Type, type Static } from 'typebox'
import { externalFields } from './external-id.ts'
import { shownLabels } from './planning/labels.ts'
import { PostStatusView } from './post.ts'
import { StrictObject, Nullable, ObjectId, Timestamp, Uuid } from './primitives.ts'
import { connectionStatuses } from './connections.ts'

const postEvents = [
  'upload.completed',
  'upload.partial_failure',
  'upload.failed',
  'upload.scheduled',
  'upload.publishing',
  'content.submitted',
  'content.approved',
  'content.changes_requested',
  'content.withdrawn',
  'content.commented',
  'content.approval_overdue',
] as const
const channelEvents = ['channel.published', 'channel.failed', 'channel.unconfirmed'] as const
const connectionEvents = ['connection.connected', 'connection.expiring', 'connection.needs_reconnect'] as const
const restoreEvents = ['workspace.restored'] as const
const testEvents = ['webhook.test'] as const

/** The events that a webhook can subscribe to. `webhook.test` is sent only by the test endpoint. To add one, name it in its list above. */
export const eventNames = [...postEvents, ...channelEvents, ...connectionEvents, ...restoreEvents, ...testEvents] as const
export type EventName = (typeof eventNames)[number]
export type PostEventName = (typeof postEvents)[number]
export type ChannelEventName = (typeof channelEvents)[number]

export function isPostEvent(name: EventName): name is PostEventName {
  return (postEvents as readonly string[]).includes(name)
}

export function isChannelEvent(name: EventName): name is ChannelEventName {
  return (channelEvents as readonly string[]).includes(name)
}

const eventFields = {
  deliveryId: Type.Unsafe<string>({ ...Uuid, description: 'The same for every attempt; use it to process an event only once' }),
  timestamp: Timestamp,
  workspaceId: ObjectId,
}

const postFields = { ...PostStatusView.properties, scheduledAt: Nullable(Timestamp), ...shownLabels, ...externalFields }

/** An event about a whole post. */
export const PostEvent = StrictObject({ event: Type.Enum([...postEvents]), ...eventFields, data: StrictObject(postFields) })

/** An event about one channel. It also contains the post of the channel. */
export const ChannelEvent = StrictObject({
  event: Type.Enum([...channelEvents]),
  ...eventFields,
  data: StrictObject({ ...postFields, channelId: ObjectId }),
})

export const ConnectionEvent = StrictObject({
  event: Type.Enum([...connectionEvents]),
  ...eventFields,
  data: StrictObject({
    connectionId: ObjectId,
    slug: Type.String(),
    platform: Type.String(),
    status: Type.Enum([...connectionStatuses]),
    reason: Nullable(Type.String()),
    expiresAt: Nullable(Timestamp),
    ...externalFields,
  }),
})

/** The database was restored from a backup: what was stored in this time is lost. */
export const RestoreEvent = StrictObject({
  event: Type.Enum([...restoreEvents]),
  ...eventFields,
  data: StrictObject({ from: Timestamp, until: Timestamp }),
})

export const TestEvent = StrictObject({
  event: Type.Enum([...testEvents]),
  ...eventFields,
  data: StrictObject({ webhookId: ObjectId, message: Type.String() }),
})

/** The body of a webhook delivery. */
export const WebhookEvent = Type.Union([PostEvent, ChannelEvent, ConnectionEvent, RestoreEvent, TestEvent])
export type WebhookEvent = Static<typeof WebhookEvent>

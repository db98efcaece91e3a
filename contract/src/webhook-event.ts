import { Type, type Static } from 'typebox'
import { PostStatusView } from './post.ts'
import { StrictObject, Nullable, ObjectId, Timestamp, Uuid } from './primitives.ts'
import type { EventName } from './webhooks.ts'
import { connectionStatuses } from './connections.ts'

const postEvents = [
  'upload.completed',
  'upload.partial_failure',
  'upload.failed',
  'upload.scheduled',
  'upload.publishing',
] as const satisfies readonly EventName[]

const channelEvents = ['channel.published', 'channel.failed', 'channel.unconfirmed'] as const satisfies readonly EventName[]

const eventFields = {
  deliveryId: Type.Unsafe<string>({ ...Uuid, description: 'The same for every attempt; use it to process an event only once' }),
  timestamp: Timestamp,
  workspaceId: ObjectId,
}

const postFields = { ...PostStatusView.properties, scheduledAt: Nullable(Timestamp) }

/** An event about a whole post. */
export const PostEvent = StrictObject({ event: Type.Enum([...postEvents]), ...eventFields, data: StrictObject(postFields) })

/** An event about one channel. It also contains the post of the channel. */
export const ChannelEvent = StrictObject({
  event: Type.Enum([...channelEvents]),
  ...eventFields,
  data: StrictObject({ ...postFields, channelId: ObjectId }),
})

export const ConnectionEvent = StrictObject({
  event: Type.Enum(['connection.needs_reconnect'] satisfies EventName[]),
  ...eventFields,
  data: StrictObject({
    connectionId: ObjectId,
    slug: Type.String(),
    platform: Type.String(),
    status: Type.Enum([...connectionStatuses]),
    reason: Nullable(Type.String()),
  }),
})

/** The database was restored from a backup: what was stored in this time is lost. */
export const RestoreEvent = StrictObject({
  event: Type.Enum(['workspace.restored'] satisfies EventName[]),
  ...eventFields,
  data: StrictObject({ from: Timestamp, until: Timestamp }),
})

export const TestEvent = StrictObject({
  event: Type.Enum(['webhook.test'] satisfies EventName[]),
  ...eventFields,
  data: StrictObject({ webhookId: ObjectId, message: Type.String() }),
})

/** The body of a webhook delivery. */
export const WebhookEvent = Type.Union([PostEvent, ChannelEvent, ConnectionEvent, RestoreEvent, TestEvent])
export type WebhookEvent = Static<typeof WebhookEvent>

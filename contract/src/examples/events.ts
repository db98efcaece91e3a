import type { EventName } from '../webhooks.ts'
import type { WebhookEvent } from '../webhook-event.ts'
import {
  completedPost,
  failedPost,
  ids,
  partlyFailedPost,
  publishingPost,
  scheduledPost,
  statusViewOf,
  unconfirmedPost,
} from './posts.ts'
import { deliveryId } from './webhooks.ts'
import type { Post } from '../post.ts'

const eventFields = { deliveryId, timestamp: '2026-11-16T08:00:01.003Z', workspaceId: ids.workspace }
const dataOf = (post: Post) => ({ ...statusViewOf(post), scheduledAt: post.scheduledAt })

const reconnectData = {
  connectionId: ids.x,
  slug: 'x-thetower',
  platform: 'x',
  status: 'needs_reconnect' as const,
  reason: 'the permission was withdrawn',
}
const restoreData = { from: '2026-11-16T07:50:00.000Z', until: '2026-11-16T07:56:30.000Z' }
const testData = {
  webhookId: '6737b0119b1e8a0012ab3600',
  message: 'This is a test. If you can verify its signature, events will reach you.',
}

/** An example delivery body for every event. */
export const eventExamples: Record<EventName, WebhookEvent> = {
  'upload.completed': { event: 'upload.completed', ...eventFields, data: dataOf(completedPost) },
  'upload.partial_failure': { event: 'upload.partial_failure', ...eventFields, data: dataOf(partlyFailedPost) },
  'upload.failed': { event: 'upload.failed', ...eventFields, data: dataOf(failedPost) },
  'upload.scheduled': { event: 'upload.scheduled', ...eventFields, data: dataOf(scheduledPost) },
  'upload.publishing': { event: 'upload.publishing', ...eventFields, data: dataOf(publishingPost) },
  'channel.published': {
    event: 'channel.published',
    ...eventFields,
    data: { ...dataOf(partlyFailedPost), channelId: ids.blueskyChannel },
  },
  'channel.failed': { event: 'channel.failed', ...eventFields, data: { ...dataOf(partlyFailedPost), channelId: ids.xChannel } },
  'channel.unconfirmed': {
    event: 'channel.unconfirmed',
    ...eventFields,
    data: { ...dataOf(unconfirmedPost), channelId: ids.xChannel },
  },
  'connection.needs_reconnect': { event: 'connection.needs_reconnect', ...eventFields, data: reconnectData },
  'workspace.restored': { event: 'workspace.restored', ...eventFields, data: restoreData },
  'webhook.test': { event: 'webhook.test', ...eventFields, data: testData },
}

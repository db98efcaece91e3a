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

const about = { deliveryId, timestamp: '2026-11-16T08:00:01.003Z', workspaceId: ids.workspace }
const dataOf = (post: Post) => ({ ...statusViewOf(post), scheduledAt: post.scheduledAt })

const needsReconnect = {
  connectionId: ids.x,
  slug: 'x-thetower',
  platform: 'x',
  status: 'needs_reconnect' as const,
  reason: 'the permission was withdrawn',
}
const test = {
  webhookId: '6737b0119b1e8a0012ab3600',
  message: 'This is a test. If you can verify its signature, events will reach you.',
}

/** The body of a delivery for every event. */
export const eventExamples: Record<EventName, WebhookEvent> = {
  'upload.completed': { event: 'upload.completed', ...about, data: dataOf(completedPost) },
  'upload.partial_failure': { event: 'upload.partial_failure', ...about, data: dataOf(partlyFailedPost) },
  'upload.failed': { event: 'upload.failed', ...about, data: dataOf(failedPost) },
  'upload.scheduled': { event: 'upload.scheduled', ...about, data: dataOf(scheduledPost) },
  'upload.publishing': { event: 'upload.publishing', ...about, data: dataOf(publishingPost) },
  'channel.published': {
    event: 'channel.published',
    ...about,
    data: { ...dataOf(partlyFailedPost), channelId: ids.blueskyChannel },
  },
  'channel.failed': { event: 'channel.failed', ...about, data: { ...dataOf(partlyFailedPost), channelId: ids.xChannel } },
  'channel.unconfirmed': {
    event: 'channel.unconfirmed',
    ...about,
    data: { ...dataOf(unconfirmedPost), channelId: ids.xChannel },
  },
  'connection.needs_reconnect': { event: 'connection.needs_reconnect', ...about, data: needsReconnect },
  'webhook.test': { event: 'webhook.test', ...about, data: test },
}

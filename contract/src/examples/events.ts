import { eventNames, isChannelEvent, isPostEvent, type EventName, type WebhookEvent } from '../webhook-event.ts'
import {
  completedPost,
  approvedPost,
  failedPost,
  ids,
  partlyFailedPost,
  publishingPost,
  returnedPost,
  scheduledPost,
  submittedPost,
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
  expiresAt: null,
}
const connectedData = {
  connectionId: ids.x,
  slug: 'x-thetower',
  platform: 'x',
  status: 'active' as const,
  reason: null,
  expiresAt: null,
  externalId: 'customer-4711',
}
const expiringData = {
  connectionId: '6735f2f09b1e8a0012ab34d3',
  slug: 'linkedin-thetower',
  platform: 'linkedin',
  status: 'expiring' as const,
  reason: 'The permission ends on 2026-11-23 and LinkedIn lets only you renew it: connect the account again before then.',
  expiresAt: '2026-11-23T08:00:00.000Z',
}
const restoreData = { from: '2026-11-16T07:50:00.000Z', until: '2026-11-16T07:56:30.000Z' }
const testData = {
  webhookId: '6737b0119b1e8a0012ab3600',
  message: 'This is a test. If you can verify its signature, events will reach you.',
}

/** The post that fits an event best; every other event shows a completed one. */
const postOf: Partial<Record<EventName, Post>> = {
  'upload.partial_failure': partlyFailedPost,
  'upload.failed': failedPost,
  'upload.scheduled': scheduledPost,
  'upload.publishing': publishingPost,
  'content.submitted': submittedPost,
  'content.approved': approvedPost,
  'content.changes_requested': returnedPost,
  'channel.published': partlyFailedPost,
  'channel.failed': partlyFailedPost,
  'channel.unconfirmed': unconfirmedPost,
}

/** An example delivery body for every event. */
export const eventExamples = Object.fromEntries(eventNames.map((event) => [event, exampleOf(event)])) as Record<
  EventName,
  WebhookEvent
>

function exampleOf(event: EventName): WebhookEvent {
  const data = dataOf(postOf[event] ?? completedPost)
  if (isPostEvent(event)) return { event, ...eventFields, data }
  if (isChannelEvent(event)) {
    const channelId = event === 'channel.published' ? ids.blueskyChannel : ids.xChannel
    return { event, ...eventFields, data: { ...data, channelId } }
  }
  if (event === 'webhook.test') return { event, ...eventFields, data: testData }
  if (event === 'workspace.restored') return { event, ...eventFields, data: restoreData }
  if (event === 'connection.connected') return { event, ...eventFields, data: connectedData }
  return { event, ...eventFields, data: event === 'connection.expiring' ? expiringData : reconnectData }
}

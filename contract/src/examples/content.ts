import type { content } from '../content.ts'
import type { ExamplesOf } from './case.ts'
import {
  approvedPost,
  archivedPost,
  completedPost,
  draftPost,
  ids,
  movedPost,
  partlyFailedPost,
  publishingPost,
  retriedPost,
  returnedPost,
  scheduledPost,
  statusViewOf,
  submission,
  submittedPost,
  waitingPost,
  withdrawnPost,
} from './posts.ts'

const connections = ['bluesky-tower.example', 'x-thetower']
const text = 'The bells ring at nine. Come early, the tower is small.'
const tooLong = {
  path: 'connections[0].text',
  code: 'text_too_long',
  message: 'X takes at most 280 characters; this text has 311.',
  params: { platform: 'X', limit: 280, actual: 311, unit: 'character' },
}
const usage = { count: 12, limit: -1, remaining: -1 }

export const contentExamples: ExamplesOf<typeof content> = {
  createText: [
    {
      name: 'now',
      body: { connections, text },
      returns: { success: true, requestId: ids.request, uploadId: ids.post, usage },
    },
    {
      name: 'scheduled',
      body: {
        connections,
        text,
        scheduledAt: '2026-11-16T09:00:00',
        timezone: 'Europe/Berlin',
        platformOptions: { 'x-thetower': { text: 'The bells ring at nine.' } },
      },
      returns: { success: true, requestId: ids.request, uploadId: ids.post, usage },
    },
    { name: 'draft', body: { connections, text, saveDraft: true }, returns: { success: true, draftId: ids.post } },
    { name: 'submitted', body: { connections, text, submit: true }, returns: { success: true, draftId: ids.post } },
    { name: 'unfinishedDraft', body: { connections: [], saveDraft: true }, returns: { success: true, draftId: ids.post } },
    {
      name: 'async',
      body: { connections, text, async: true },
      status: 202,
      returns: {
        success: true,
        requestId: ids.request,
        usage,
        message: 'Accepted. Follow it with GET /content/status.',
        scheduledAt: null,
        totalChannels: 2,
      },
    },
  ],
  createPhotos: [
    {
      body: { connections, text, medias: [ids.media], mediaOptions: [{ alt: 'A bell, seen from below' }] },
      returns: { success: true, requestId: ids.request, uploadId: ids.post, usage },
    },
  ],
  createVideo: [
    {
      body: { connections, text, medias: ['https://tower.example/bells.mp4'], contentFormat: 'short_video' },
      returns: { success: true, requestId: ids.request, uploadId: ids.post, usage },
    },
  ],
  createDocument: [
    {
      body: { connections: ['linkedin-thetower'], text, title: 'The bells of our town', medias: [ids.media] },
      returns: { success: true, requestId: ids.request, uploadId: ids.post, usage },
    },
  ],
  list: [
    {
      returns: {
        data: [completedPost],
        meta: { total: 1, page: 1, limit: 10, totalPages: 1, nextCursor: null },
      },
    },
  ],
  calendar: [
    {
      returns: {
        entries: [
          {
            uploadId: ids.post,
            at: '2026-11-16T08:00:00.000Z',
            timezone: 'Europe/Berlin',
            status: 'scheduled',
            type: 'photo',
            excerpt: text,
            connections: [ids.bluesky, ids.x],
            failed: 0,
            unconfirmed: 0,
            approval: 'none',
            mediaId: ids.media,
            hasPicture: true,
            updatedAt: '2026-11-15T19:30:08.112Z',
          },
        ],
        truncated: false,
      },
    },
  ],
  status: [{ returns: statusViewOf(partlyFailedPost) }],
  get: [{ returns: completedPost }, { name: 'waiting', returns: waitingPost }],
  timeline: [
    {
      returns: [
        {
          channelId: ids.xChannel,
          at: '2026-11-15T19:30:08.112Z',
          stage: 'queued',
          attempt: 0,
          code: null,
          platformCode: null,
          message: null,
          retryAt: null,
        },
        {
          channelId: ids.xChannel,
          at: '2026-11-16T08:00:00.640Z',
          stage: 'failed',
          attempt: 1,
          code: 'platform_unavailable',
          platformCode: '503',
          message: 'The platform did not respond to several attempts.',
          retryAt: '2026-11-16T08:00:05.912Z',
        },
        {
          channelId: ids.xChannel,
          at: '2026-11-16T08:00:05.950Z',
          stage: 'sent',
          attempt: 2,
          code: null,
          platformCode: null,
          message: null,
          retryAt: null,
        },
        {
          channelId: ids.xChannel,
          at: '2026-11-16T08:00:06.204Z',
          stage: 'confirmed',
          attempt: 2,
          code: null,
          platformCode: null,
          message: null,
          retryAt: null,
        },
      ],
    },
  ],
  validate: [
    {
      body: { type: 'text', connections: ['x-thetower'], text: 'The bells ring at nine. '.repeat(13).trim() },
      returns: {
        valid: false,
        issues: [{ ...tooLong, blocking: true }],
        connections: [{ connection: 'x-thetower', platform: 'x', valid: false, violations: [tooLong], warnings: [] }],
      },
    },
  ],
  linkCard: [
    {
      returns: {
        url: 'https://tower.example/bells',
        title: 'The bells of the tower',
        description: 'Five bells, and who rings them.',
        picture: null,
      },
    },
  ],
  update: [{ body: { text, linkUrl: null }, returns: draftPost }],
  publish: [{ returns: publishingPost }],
  publishNow: [{ returns: publishingPost }],
  reschedule: [{ body: { scheduledAt: '2026-11-17T09:00:00', timezone: 'Europe/Berlin' }, returns: movedPost }],
  enqueue: [{ body: { queue: 'default' }, returns: movedPost }],
  submit: [{ body: { scheduledAt: '2026-11-16T09:00:00', timezone: 'Europe/Berlin' }, returns: submittedPost }],
  approve: [{ body: { revision: submission.revision, comment: 'Good.' }, returns: approvedPost }],
  requestChanges: [{ body: { comment: 'Say which bells.' }, returns: returnedPost }],
  withdraw: [{ returns: withdrawnPost }],
  unschedule: [{ returns: { ...scheduledPost, status: 'draft', scheduledAt: null } }],
  retry: [{ body: { channels: [ids.xChannel] }, returns: retriedPost }],
  resolve: [
    {
      body: { outcome: 'published', postUrl: 'https://x.com/thetower/status/1857689012345678901' },
      returns: completedPost,
    },
  ],
  archive: [{ returns: archivedPost }],
  unarchive: [{ returns: completedPost }],
  remove: [
    { returns: null },
    {
      name: 'unpublish',
      returns: {
        channels: [
          { id: ids.blueskyChannel, connection: 'bluesky-tower.example', outcome: 'removed', message: null },
          {
            id: ids.xChannel,
            connection: 'x-thetower',
            outcome: 'failed',
            message: 'X did not answer; the post is still there.',
          },
        ],
      },
    },
  ],
  bulkDelete: [
    {
      body: { ids: [ids.post, '6737a1f09b1e8a0012ab35ff'] },
      returns: {
        requested: 2,
        succeeded: 1,
        failed: [{ id: '6737a1f09b1e8a0012ab35ff', code: 'post_not_found', message: 'There is no such post in this workspace.' }],
      },
    },
  ],
  bulkArchive: [{ body: { ids: [ids.post] }, returns: { requested: 1, succeeded: 1, failed: [] } }],
  bulkUnarchive: [{ body: { ids: [ids.post] }, returns: { requested: 1, succeeded: 1, failed: [] } }],
  bulkRetry: [
    {
      body: { ids: [ids.post, '6737a1f09b1e8a0012ab35ff'] },
      returns: {
        requested: 2,
        succeeded: 1,
        failed: [
          {
            id: '6737a1f09b1e8a0012ab35ff',
            code: 'nothing_to_retry',
            message: 'No channel and no first comment of this post has failed.',
          },
        ],
      },
    },
  ],
  bulkLabel: [
    {
      body: { ids: [ids.post], add: ['6739c4e09b1e8a0012ab3710'] },
      returns: { requested: 1, succeeded: 1, failed: [] },
    },
  ],
  bulkReschedule: [
    {
      body: { ids: [ids.post], scheduledAt: '2026-11-17T09:00:00', timezone: 'Europe/Berlin' },
      returns: { requested: 1, succeeded: 1, failed: [] },
    },
  ],
}

import type { Approval, Channel, Post } from '../post.ts'

/** All examples of the documentation use the same ids, so that the response of one example fits the request of the next. */
export const ids = {
  workspace: '6735f0c29b1e8a0012ab34cd',
  post: '6737a1f09b1e8a0012ab3501',
  request: '019331c2-5e1b-7c44-8d2f-1f5a0c7e9b10',
  blueskyChannel: '6737a1f09b1e8a0012ab3502',
  xChannel: '6737a1f09b1e8a0012ab3503',
  bluesky: '6735f2a49b1e8a0012ab34d1',
  x: '6735f2d89b1e8a0012ab34d2',
  media: '6736b0129b1e8a0012ab34e7',
  person: '6735f0a19b1e8a0012ab34c0',
  otherPerson: '6735f0b39b1e8a0012ab34c4',
}

const createdAt = '2026-11-15T19:30:08.112Z'
const dueAt = '2026-11-16T08:00:00.000Z'
const text = 'The bells ring at nine. Come early, the tower is small.'

const emptyResult = {
  postUrl: null,
  postId: null,
  publishedAt: null,
  error: null,
  warnings: [],
  attempts: 0,
  late: null,
  waiting: null,
}

function channels(bluesky: Channel['result'], x: Channel['result']): Channel[] {
  return [
    {
      id: ids.blueskyChannel,
      platform: 'bluesky',
      connectionId: ids.bluesky,
      connection: 'bluesky-tower.example',
      targetName: 'The Tower',
      result: bluesky,
    },
    { id: ids.xChannel, platform: 'x', connectionId: ids.x, connection: 'x-thetower', targetName: '@thetower', result: x },
  ]
}

const published: Channel['result'] = {
  ...emptyResult,
  status: 'success',
  postUrl: 'https://bsky.app/profile/tower.example/post/3lazq5ykk2s2x',
  postId: 'at://did:plc:tower/app.bsky.feed.post/3lazq5ykk2s2x',
  publishedAt: '2026-11-16T08:00:00.412Z',
  attempts: 1,
}

const unconfirmed: Channel['result'] = {
  ...emptyResult,
  status: 'unconfirmed',
  error: {
    code: 'outcome_unknown',
    message: 'The platform may have published this, but its response was lost. Check the platform, then resolve the channel.',
    action: 'check_platform',
    retryable: false,
    platformCode: null,
  },
  attempts: 1,
}

const failed: Channel['result'] = {
  ...emptyResult,
  status: 'failed',
  error: {
    code: 'platform_rate_limited',
    message: 'The platform’s rate limit was reached and did not clear in time.',
    action: 'wait',
    retryable: true,
    platformCode: '429',
  },
  attempts: 12,
}

const pending: Channel['result'] = { ...emptyResult, status: 'pending' }

const waiting: Channel['result'] = {
  ...pending,
  waiting: { reason: 'rate_limit', until: '2026-11-16T08:15:00.000Z' },
}

export const scheduledPost: Post = {
  uploadId: ids.post,
  requestId: ids.request,
  status: 'scheduled',
  type: 'text',
  contentFormat: null,
  title: null,
  text,
  firstComment: null,
  linkUrl: null,
  medias: [],
  channels: channels(pending, pending),
  platformOptions: { 'x-thetower': { text: 'The bells ring at nine.' } },
  scheduledAt: dueAt,
  timezone: 'Europe/Berlin',
  publishedAt: null,
  archived: false,
  archivedAt: null,
  warnings: [],
  issues: [],
  createdAt,
  updatedAt: createdAt,
}

export const draftPost: Post = { ...scheduledPost, status: 'draft', scheduledAt: null, timezone: null }

const author = { userId: ids.person, name: 'Lea', apiKeyId: null }
const approver = { userId: ids.otherPerson, name: 'Ana', apiKeyId: null }

export const submission = {
  action: 'submitted' as const,
  by: author,
  at: '2026-11-14T10:00:00.000Z',
  comment: null,
  revision: '5f0c2a8f3b7e6d19c4a05e8d7f21b3966c0d4e7a8b915f23c6d07e81a94b52f0',
  dueAt: '2026-11-16T08:00:00.000Z',
}

function decidedPost(post: Post, state: Approval['state'], history: NonNullable<Approval['history']>): Post {
  const { by, at, comment } = history.at(-1) ?? submission
  const revision = state === 'pending' || state === 'approved' ? submission.revision : null
  return { ...post, approval: { state, revision, by, at, comment, history } }
}

const waitingDraft: Post = { ...scheduledPost, status: 'draft' }
const decision = { ...submission, by: approver, at: '2026-11-14T11:30:00.000Z' }

export const submittedPost = decidedPost(waitingDraft, 'pending', [submission])

export const approvedPost = decidedPost(scheduledPost, 'approved', [
  submission,
  { ...decision, action: 'approved', comment: 'Good.' },
])

export const returnedPost = decidedPost(waitingDraft, 'changes_requested', [
  submission,
  { ...decision, action: 'changes_requested', comment: 'Say which bells.' },
])

export const withdrawnPost = decidedPost(waitingDraft, 'none', [
  submission,
  { ...submission, action: 'withdrawn', at: decision.at },
])

export const publishingPost: Post = { ...scheduledPost, status: 'publishing' }

/** X has reached a limit of the platform and is sent later. */
export const waitingPost: Post = { ...scheduledPost, status: 'publishing', channels: channels(published, waiting) }

export const movedPost: Post = { ...scheduledPost, scheduledAt: '2026-11-17T08:00:00.000Z' }

export const partlyFailedPost: Post = {
  ...scheduledPost,
  status: 'partial_failure',
  channels: channels(published, failed),
  publishedAt: published.publishedAt,
}

export const failedPost: Post = { ...scheduledPost, status: 'failed', channels: channels(failed, failed) }

export const retriedPost: Post = {
  ...partlyFailedPost,
  status: 'publishing',
  channels: channels(published, { ...failed, status: 'pending', error: null }),
}

export const unconfirmedPost: Post = { ...partlyFailedPost, channels: channels(published, unconfirmed) }

export const completedPost: Post = {
  ...partlyFailedPost,
  status: 'completed',
  channels: channels(published, {
    ...published,
    postUrl: 'https://x.com/thetower/status/1857689012345678901',
    postId: '1857689012345678901',
  }),
}

export const archivedPost: Post = { ...completedPost, archived: true, archivedAt: '2026-12-01T10:00:00.000Z' }

export function statusViewOf(post: Post) {
  const { requestId, uploadId, status, type } = post
  return { requestId, uploadId, status, type, channels: post.channels, createdAt: post.createdAt }
}

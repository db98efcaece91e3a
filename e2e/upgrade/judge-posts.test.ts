import { expect, test } from 'vitest'
import { judgePosts } from './judge-posts.ts'

/** Guarantee: a post that is missing, called for twice or shown wrongly fails the drill. */
const account = { platform: 'x', handle: 'one', slug: 'x-one' }
const sent = [{ text: 'upgrade-1.', accounts: [account], dueMs: 0, schedules: 0 }]
const call = (outcome: 'created' | 'repeated' | 'refused') => ({
  platform: 'x',
  account: 'one',
  operation: 'submit',
  atMs: 1,
  answeredAtMs: null,
  host: null,
  text: 'upgrade-1.',
  key: null,
  replyTo: null,
  outcome,
  postId: null,
  fault: null,
  faultStatus: null,
})
const post = (status: string) => ({
  id: 'p1',
  requestId: 'p1',
  status: 'completed',
  text: 'upgrade-1.',
  scheduledAtMs: null,
  channels: [
    {
      id: 'c1',
      platform: 'x',
      connection: 'x-one',
      status,
      errorCode: null,
      attempts: 1,
      postId: null,
      warnings: [],
      lateMs: null,
      parts: [],
    },
  ],
})

test.for([
  ['published once', [call('created')], [post('success')], []],
  ['not known to the API', [call('created')], [], ['missing']],
  ['never sent', [], [post('success')], ['lost']],
  ['refused', [call('refused')], [post('failed')], ['lost']],
  ['sent twice', [call('created'), call('created')], [post('success')], ['doubled']],
  ['sent twice, and recognised by the platform', [call('created'), call('repeated')], [post('success')], ['doubled']],
  ['live and unconfirmed', [call('created')], [post('unconfirmed')], ['mismatch']],
  ['live and pending', [call('created')], [post('publishing')], ['mismatch']],
] as const)('%s', ([, submits, posts, kinds]) => {
  expect(judgePosts({ sent, posts, submits }).map(({ kind }) => kind)).toEqual(kinds)
})

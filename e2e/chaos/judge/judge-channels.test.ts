import { describe, expect, test } from 'vitest'
import type { Disturbance } from '../faults/disturbance.ts'
import type { PermissionChange } from '../client/drive-connection.ts'
import { baseMs, findingsOf, type SeedParts } from './findings.fixture.ts'
import { judgeChannels } from './judge-channels.ts'

const kindsFor = (parts: SeedParts) => judgeChannels(findingsOf(parts)).map(({ kind }) => kind)

const killed: Disturbance = {
  seed: 1,
  kind: 'kill worker',
  target: 'worker-1',
  fromMs: baseMs + 100,
  untilMs: baseMs + 900,
}
const disturbed = { findings: { disturbances: [killed] } }

function lost(kind: PermissionChange['kind'], lostAtMs: number, regainedAtMs: number | null = null) {
  const change: PermissionChange = {
    workspace: 'eager',
    platform: 'x',
    index: 0,
    kind,
    atMs: 0,
    reconnectAfterMs: 1000,
    lostAtMs,
    regainedAtMs,
  }
  return { findings: { permissionChanges: [change] } }
}

test('a post that was published once, on time, and reported so breaks no promise', () => {
  expect(kindsFor({})).toEqual([])
})

/** Guarantee: a second call that the platform carried out is seen, even if it left no second post, and even if the answer was lost. */
describe('doubled', () => {
  test.for([
    ['two calls that were answered', [{}, { atMs: baseMs + 900 }], ['doubled']],
    ['the first answer was lost', [{ outcome: 'dropped_after' }, {}], ['doubled']],
    ['a repeat that the platform recognised', [{}, { outcome: 'repeated' }], []],
    ['a call that never arrived, and one that did', [{ outcome: 'dropped_before', fault: 'drop_before' }, {}], []],
    ['a refused repeat', [{}, { outcome: 'refused' }], []],
  ] as const)('%s', ([, submits, kinds]) => {
    expect(kindsFor({ submits: submits.map((submit) => ({ ...submit })) })).toEqual(kinds)
  })

  test('a comment with the text of the post is not a second post', () => {
    expect(kindsFor({ submits: [{}, { replyTo: '1' }] })).toEqual([])
  })

  test('one post that GET /content lists twice', () => {
    const { posts } = findingsOf()
    expect(kindsFor({ findings: { posts: [...posts, ...posts] } })).toEqual(['doubled'])
  })
})

/** Guarantee: what the API says agrees with the platform's own record. */
describe('lost and mismatch', () => {
  test('success without a call that was carried out', () => {
    expect(kindsFor({ submits: [] })).toEqual(['lost'])
    expect(kindsFor({ submits: [{ outcome: 'refused' }] })).toEqual(['lost'])
  })

  test('failed, but the platform has it', () => {
    expect(kindsFor({ channel: { status: 'failed', errorCode: 'content_rejected' }, faultKinds: ['refusal'] })).toEqual([
      'mismatch',
    ])
  })

  test('the channel names the post of another', () => {
    expect(kindsFor({ channel: { postId: '2' } })).toEqual(['mismatch'])
    expect(kindsFor({ channel: { postId: null } })).toEqual([])
  })

  test('published where no post asks for it', () => {
    expect(kindsFor({ submits: [{}, { account: 'another' }] })).toEqual(['mismatch'])
    expect(kindsFor({ submits: [{}, { text: 'another text' }] })).toEqual(['mismatch'])
    expect(kindsFor({ submits: [{}, { account: 'another', outcome: 'refused' }] })).toEqual([])
  })

  test('still not final at the end', () => {
    expect(kindsFor({ channel: { status: 'pending' }, submits: [] })).toEqual(['lost'])
    expect(kindsFor({ channel: { status: 'publishing' } })).toEqual(['stuck'])
  })

  test('the post or its channel is gone', () => {
    expect(kindsFor({ findings: { posts: [] } })).toEqual(['missing', 'missing'])
    expect(kindsFor({ channel: null })).toEqual(['missing'])
  })

  test('a post that is due in days may still wait', () => {
    const far = { earliestMs: baseMs + 3 * 86_400_000 }
    expect(kindsFor({ channel: { status: 'pending' }, post: { status: 'scheduled' }, expected: far, submits: [] })).toEqual([])
  })

  test('a careful workspace may hold a post that became too late, and no other workspace may', () => {
    const held: SeedParts = { channel: { status: 'pending' }, post: { status: 'draft' }, submits: [] }
    expect(kindsFor({ ...held, workspace: 'careful' })).toEqual([])
    expect(kindsFor(held)).toEqual(['lost'])
    expect(kindsFor({ ...held, workspace: 'careful', findings: { nowMs: baseMs + 10_000 } })).toEqual(['lost'])
  })
})

/** Guarantee: a failure has a reason that the platform's record shows, for this very channel. */
describe('failed', () => {
  const failed = (errorCode: string): SeedParts => ({ channel: { status: 'failed', errorCode } })
  const refused = { outcome: 'dropped_before', fault: 'status', faultStatus: 400 } as const

  test.for([
    ['refused by the platform', 'content_rejected', { faultKinds: ['refusal'], submits: [refused] }, []],
    ['an account that refuses, but not this post', 'content_rejected', { faultKinds: ['refusal'], submits: [] }, ['lost']],
    ['refused without a reason', 'content_rejected', { submits: [] }, ['lost']],
    ['TikTok published it', 'content_rejected', { platform: 'tiktok', submits: [{}], ...disturbed }, ['mismatch']],
    ['TikTok could not fetch it', 'content_rejected', { platform: 'tiktok', submits: [{ postId: null }], ...disturbed }, []],
    ['TikTok could have fetched it', 'content_rejected', { platform: 'tiktok', submits: [{ postId: null }] }, ['lost']],
    [
      'a 503 is no refusal',
      'content_rejected',
      { faultKinds: ['refusal'], submits: [{ ...refused, faultStatus: 503 }] },
      ['lost'],
    ],
    ['the platform was away for a while', 'platform_unavailable', { faultKinds: ['outage'], submits: [refused] }, ['lost']],
    ['the token was revoked', 'reconnect_needed', { submits: [], ...lost('token revoked', baseMs) }, []],
    ['a renewal failed for a while', 'reconnect_needed', { submits: [], ...lost('renewal fails', baseMs) }, ['lost']],
    ['the account was disconnected', 'connection_removed', { submits: [], ...lost('disconnect', baseMs) }, []],
    ['nothing was disconnected', 'connection_removed', { submits: [] }, ['lost']],
  ] satisfies [string, string, SeedParts, string[]][])('%s', ([, code, parts, kinds]) => {
    expect(kindsFor({ ...failed(code), ...parts })).toEqual(kinds)
  })
})

/** Guarantee: a channel is unconfirmed only if an answer was really lost and nothing could tell what became of the call. */
describe('unconfirmed', () => {
  const doubt: SeedParts = { channel: { status: 'unconfirmed', errorCode: 'outcome_unknown' } }
  const dropped = { outcome: 'dropped_before', fault: 'drop_before' } as const
  const unseen = { outcome: 'dropped_after', fault: 'drop_after' } as const

  test.for([
    ['no call was ever made', { submits: [] }, ['unconfirmed']],
    ['no call was made because the worker was killed', { submits: [], ...disturbed }, []],
    ['the call was dropped and left no trace', { submits: [dropped] }, []],
    ['the answer arrived', { submits: [{}] }, ['unconfirmed']],
    ['a person on LinkedIn, whose answer arrived', { platform: 'linkedin', submits: [{}] }, ['unconfirmed']],
    ['a person on LinkedIn, and the worker was killed with the call', { platform: 'linkedin', submits: [{}], ...disturbed }, []],
    [
      'a person on LinkedIn, and the worker was killed long afterwards',
      { platform: 'linkedin', submits: [{}], findings: { disturbances: [{ ...killed, fromMs: baseMs + 20_000, untilMs: 0 }] } },
      ['unconfirmed'],
    ],
    ['the answer was lost, but the list shows the post', { submits: [unseen] }, ['unconfirmed']],
    ['the answer was lost, and the list could not be read', { submits: [unseen], failedQuestions: 1 }, []],
    [
      'only a rate limit',
      { submits: [{ outcome: 'dropped_before', fault: 'status', faultStatus: 429 }], faultKinds: ['rate limit', 'error before'] },
      ['unconfirmed'],
    ],
    ['a 5xx', { submits: [{ outcome: 'dropped_before', fault: 'status', faultStatus: 502 }] }, []],
    ['a platform that recognises repeats', { platform: 'mastodon', submits: [dropped] }, ['unconfirmed']],
    ['a platform whose container can be read', { platform: 'threads', submits: [unseen], ...disturbed }, ['unconfirmed']],
    ['a person on LinkedIn, whose posts cannot be read', { platform: 'linkedin', submits: [unseen] }, []],
    ['a photo on TikTok, which only its answer names', { platform: 'tiktok', submits: [{ ...unseen, key: null }] }, []],
    ['the account was disconnected meanwhile', { submits: [unseen], ...lost('disconnect', baseMs) }, []],
  ] satisfies [string, SeedParts, string[]][])('%s', ([, parts, kinds]) => {
    expect(kindsFor({ ...doubt, ...parts })).toEqual(kinds)
  })
})

/** Guarantee: a confirmed stop stops. */
describe('stopped', () => {
  test('a draft that was published', () => {
    expect(kindsFor({ expected: { intent: 'stopped' } })).toEqual(['stopped'])
  })

  test('a deleted post may only be published by a call that was already on its way', () => {
    const deleted = (stoppedAtMs: number): SeedParts => ({
      expected: { intent: 'deleted', stoppedAtMs },
      submits: [{ atMs: baseMs + 10_000 }],
      findings: { posts: [] },
    })
    expect(kindsFor(deleted(baseMs - 1000))).toEqual(['stopped'])
    expect(kindsFor(deleted(baseMs + 1000))).toEqual(['stopped'])
    expect(kindsFor(deleted(baseMs + 9000))).toEqual([])
  })

  test('nothing is published on a disconnected account', () => {
    const late = { submits: [{ atMs: baseMs + 20_000 }] }
    expect(kindsFor({ ...late, ...lost('disconnect', baseMs) })).toEqual(['stopped'])
    expect(kindsFor({ ...late, ...lost('disconnect', baseMs, baseMs + 10_000) })).toEqual([])
  })
})

/** Guarantee: nothing is early, and nothing is late unless a fault was in its way. */
describe('time', () => {
  const at = (ms: number, parts: SeedParts = {}) => kindsFor({ submits: [{ atMs: baseMs + ms }], ...parts })

  test('early', () => {
    expect(at(-1)).toEqual([])
    expect(at(-2)).toEqual(['early'])
  })

  test('late without a reason', () => {
    expect(at(5000)).toEqual([])
    expect(at(5001)).toEqual(['late'])
    expect(at(9000, { findings: { slowness: 2 } })).toEqual([])
  })

  test('late with a reason', () => {
    expect(at(20_000, { faultKinds: ['rate limit'] })).toEqual([])
    expect(at(20_000, disturbed)).toEqual([])
    expect(at(20_000, lost('token expires', baseMs))).toEqual([])
  })

  test('a fault that was over long before is no reason, nor one that cannot make a post late', () => {
    const before = { ...killed, fromMs: baseMs - 60_000, untilMs: baseMs - 50_000 }
    expect(at(20_000, { findings: { disturbances: [before] } })).toEqual(['late'])
    const clock = { ...killed, kind: 'clock ahead' as const }
    expect(at(20_000, { findings: { disturbances: [clock] } })).toEqual(['late'])
  })

  test('a workspace that holds late posts publishes none that is more than a minute late, whatever the reason', () => {
    expect(at(90_000, { workspace: 'careful', ...disturbed })).toEqual(['late'])
    expect(at(50_000, { workspace: 'careful', ...disturbed })).toEqual([])
  })

  test('unless a person has retried it', () => {
    const expected = { requests: { schedule: 1, publish: 0, retry: 1, resolve: 0 } }
    expect(at(90_000, { workspace: 'careful', ...disturbed, expected })).toEqual([])
  })
})

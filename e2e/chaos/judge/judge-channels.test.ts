import { platforms } from '@carillon/contract'
import { describe, expect, test } from 'vitest'
import type { Disturbance } from '../faults/disturbance.ts'
import type { PermissionChange } from '../client/drive-connection.ts'
import type { Submit } from '../stack/simulator-control.ts'
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
const disturbed = { findings: { disturbances: [killed], deaths: [{ part: 'worker-1', atMs: killed.fromMs }] } }
const died = (part: string, atMs: number) => ({ findings: { deaths: [{ part, atMs }] } })

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

/** Guarantee: the judge excuses no platform, whichever the contract has. */
describe.each(platforms)('on %s', (platform) => {
  test.each<[string, SeedParts, string[]]>([
    ['once', {}, []],
    ['twice', { submits: [{}, { atMs: baseMs + 900 }] }, ['doubled']],
    ['not at all, and a success', { submits: [] }, ['lost']],
    ['early', { submits: [{ atMs: baseMs - 1000 }] }, ['early']],
    ['late', { submits: [{ atMs: baseMs + 60_000 }] }, ['late']],
    ['once, and in doubt without a reason', { channel: { status: 'unconfirmed' } }, ['unconfirmed']],
    ['once, and a failure', { channel: { status: 'failed', errorCode: 'content_rejected' } }, ['mismatch']],
  ])('published %s', (_, parts, kinds) => {
    expect(kindsFor({ ...parts, platform })).toEqual(kinds)
  })
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
    expect(kindsFor({ channel: { status: 'failed', errorCode: 'content_rejected' } })).toEqual(['mismatch'])
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
    ['refused by the platform', 'content_rejected', { submits: [refused] }, []],
    ['refused at first, and then not', 'content_rejected', { submits: [refused, { outcome: 'refused' }] }, ['lost']],
    ['an account that refuses, but not this post', 'content_rejected', { submits: [] }, ['lost']],
    ['refused without a reason', 'content_rejected', { submits: [] }, ['lost']],
    ['TikTok published it', 'content_rejected', { platform: 'tiktok', submits: [{}], ...disturbed }, ['mismatch']],
    ['TikTok could not fetch it', 'content_rejected', { platform: 'tiktok', submits: [{ postId: null }], ...disturbed }, []],
    ['a receiver could not fetch it', 'content_rejected', { platform: 'http', submits: [{ postId: null }], ...disturbed }, []],
    ['TikTok could have fetched it', 'content_rejected', { platform: 'tiktok', submits: [{ postId: null }] }, ['lost']],
    ['a 503 is no refusal', 'content_rejected', { submits: [{ ...refused, faultStatus: 503 }] }, ['lost']],
    ['the platform was away for a while', 'platform_unavailable', { submits: [refused] }, ['lost']],
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
    [
      'a person on LinkedIn, and its worker was killed with the call',
      { platform: 'linkedin', submits: [{}], ...died('worker-1', baseMs + 700) },
      [],
    ],
    [
      'a person on LinkedIn, and the other worker was killed with the call',
      { platform: 'linkedin', submits: [{}], ...died('worker-2', baseMs + 700) },
      ['unconfirmed'],
    ],
    [
      'a person on LinkedIn, and the engine was killed with the call',
      {
        platform: 'linkedin',
        submits: [{}],
        findings: {
          disturbances: [{ ...killed, kind: 'kill engine', target: 'engine' }],
          deaths: [{ part: 'engine', atMs: baseMs + 550 }],
        },
      },
      ['unconfirmed'],
    ],
    [
      'a person on LinkedIn, and its worker was killed long afterwards',
      { platform: 'linkedin', submits: [{}], ...died('worker-1', baseMs + 20_000) },
      ['unconfirmed'],
    ],
    [
      'a person on LinkedIn, and its worker was killed while it waited for the database',
      {
        platform: 'linkedin',
        submits: [{}],
        findings: {
          disturbances: [{ ...killed, kind: 'kill database', target: 'postgres', untilMs: baseMs + 15_000 }],
          deaths: [{ part: 'worker-1', atMs: baseMs + 12_000 }],
        },
      },
      [],
    ],
    [
      'no call was made, and a worker was killed an hour later',
      { submits: [], ...died('worker-1', baseMs + 3_600_000) },
      ['unconfirmed'],
    ],
    [
      'every attempt made a call, and a worker was killed',
      { submits: [{ outcome: 'refused' }], ...died('worker-1', baseMs) },
      ['unconfirmed'],
    ],
    ['the answer was lost, but the list shows the post', { submits: [unseen] }, ['unconfirmed']],
    ['the answer was lost, and the list could not be read', { submits: [unseen], failedQuestions: 1 }, []],
    ['only a rate limit', { submits: [{ outcome: 'dropped_before', fault: 'status', faultStatus: 429 }] }, ['unconfirmed']],
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
    expect(at(9000, { findings: { calmSlowness: 2 } })).toEqual([])
  })

  test('late with a reason', () => {
    expect(
      at(20_000, { submits: [{ fault: 'status', faultStatus: 429, outcome: 'refused' }, { atMs: baseMs + 20_000 }] }),
    ).toEqual([])
    expect(at(20_000, disturbed)).toEqual([])
    expect(at(20_000, lost('token expires', baseMs))).toEqual([])
  })

  test('a fault that its account may have, but did not have, is no reason', () => {
    expect(at(20_000, {})).toEqual(['late'])
    expect(at(20_000, lost('token expires', baseMs + 30_000))).toEqual(['late'])
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

  test('unless its first call was in time, and its answer was lost', () => {
    const after = (first: object) =>
      at(90_000, { workspace: 'careful', ...disturbed, submits: [first, { atMs: baseMs + 90_000 }] })
    expect(after({ atMs: baseMs + 50_000, outcome: 'dropped_before', fault: 'drop_before' })).toEqual([])
    expect(after({ atMs: baseMs + 50_000, outcome: 'refused', fault: 'status', faultStatus: 429 })).toEqual(['late'])
    expect(after({ atMs: baseMs + 85_000, outcome: 'dropped_before', fault: 'drop_before' })).toEqual(['late'])
  })

  test('and its time is counted from when it was accepted', () => {
    expect(at(90_000, { workspace: 'careful', ...disturbed, expected: { acceptedMs: baseMs + 24_000 } })).toEqual([])
    expect(at(110_000, { workspace: 'careful', ...disturbed, expected: { acceptedMs: baseMs + 24_000 } })).toEqual(['late'])
  })

  test('unless a person has retried it', () => {
    const expected = { requests: { schedule: 1, publish: 0, retry: 1, resolve: 0 } }
    expect(at(90_000, { workspace: 'careful', ...disturbed, expected })).toEqual([])
  })
})

/** Guarantee: posts with the same words on one account are counted, and none can stand for another. */
describe('equal words', () => {
  type Twin = { status: string; postId?: string | null; workspace?: 'eager' | 'careful' }
  /** Posts with the same words on the same account, what the API says of each, and the calls. */
  function twins(channels: Twin[], calls: Partial<Submit>[]) {
    const findings = findingsOf({ submits: calls })
    const [expected] = findings.expectedPosts
    const [post] = findings.posts
    const [channel] = post?.channels ?? []
    if (!expected || !post || !channel) throw new Error('the fixture has no post')
    const each = channels.map(({ status, postId = null, workspace = 'eager' }, n) => ({
      expected: { ...expected, requestId: `request-${n}`, workspace },
      post: {
        ...post,
        id: `post-${n}`,
        requestId: `request-${n}`,
        channels: [{ ...channel, id: `channel-${n}`, status, postId }],
      },
    }))
    return judgeChannels({
      ...findings,
      expectedPosts: each.map((one) => one.expected),
      posts: each.map((one) => one.post),
    }).map(({ kind }) => kind)
  }
  const unseen = { outcome: 'dropped_after', fault: 'drop_after' } as const
  const dropped = { outcome: 'dropped_before', fault: 'drop_before', postId: null } as const

  test.for([
    [
      'two posts, and each names its own',
      [
        { status: 'success', postId: '1' },
        { status: 'success', postId: '2' },
      ],
      [{}, { postId: '2' }],
      [],
    ],
    [
      'one post, and both name it',
      [
        { status: 'success', postId: '1' },
        { status: 'success', postId: '1' },
      ],
      [unseen, dropped],
      ['lost', 'mismatch'],
    ],
    [
      'one post, and both name it, in two workspaces',
      [
        { status: 'success', postId: '1' },
        { status: 'success', postId: '1', workspace: 'careful' },
      ],
      [{}, dropped],
      ['lost', 'mismatch'],
    ],
    [
      'one post, both succeeded, one without a name',
      [{ status: 'success', postId: '1' }, { status: 'success' }],
      [{}, dropped],
      ['lost'],
    ],
    [
      'three posts for two',
      [
        { status: 'success', postId: '1' },
        { status: 'success', postId: '2' },
      ],
      [{}, { postId: '2' }, { postId: '3' }],
      ['doubled'],
    ],
    ['one was lost, and that is said', [{ status: 'success', postId: '1' }, { status: 'unconfirmed' }], [{}, dropped], []],
    [
      'both are in doubt, and one answer was lost',
      [{ status: 'unconfirmed' }, { status: 'unconfirmed' }],
      [dropped],
      ['unconfirmed'],
    ],
    [
      'two posts, and one is called failed',
      [{ status: 'success', postId: '1' }, { status: 'failed' }],
      [{}, { postId: '2' }],
      ['mismatch'],
    ],
  ] satisfies [string, Twin[], Partial<Submit>[], string[]][])('%s', ([, channels, calls, kinds]) => {
    expect(twins(channels, calls)).toEqual(kinds)
  })
})

/** Guarantee: a service that calls a platform without end is seen, although it publishes everything once. */
describe('calls', () => {
  const refused = { outcome: 'refused', fault: 'status', faultStatus: 500 } as const
  const many = (count: number) => Array.from({ length: count }, () => refused)

  test('publishing calls', () => {
    expect(kindsFor({ submits: [...many(20), {}] })).toEqual([])
    expect(kindsFor({ submits: [...many(40), {}] })).toEqual(['calls'])
  })

  test('calls for a first comment', () => {
    const comments = (count: number) => many(count).map((each) => ({ ...each, text: 'a comment', replyTo: '1' }))
    expect(kindsFor({ expected: { comment: 'a comment' }, submits: [{}, ...comments(10)] })).toEqual([])
    expect(kindsFor({ expected: { comment: 'a comment' }, submits: [{}, ...comments(11)] })).toEqual(['calls'])
  })

  test('questions', () => {
    const asked = (count: number) => [{ platform: 'x', account: 'bell', operation: 'find', count }]
    expect(kindsFor({ findings: { accountCalls: asked(60) } })).toEqual([])
    expect(kindsFor({ findings: { accountCalls: asked(61) } })).toEqual(['calls'])
  })
})

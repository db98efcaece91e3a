import { expect, test } from 'vitest'
import type { ApiPart } from '../client/api-post.ts'
import { baseMs, findingsOf, type SeedParts } from './findings.fixture.ts'
import { judgeChannels } from './judge-channels.ts'
import { judgeComments } from './judge-comments.ts'

const success = (postId: string | null): ApiPart => ({ status: 'success', postId, errorCode: null })
const failed = (errorCode: string): ApiPart => ({ status: 'failed', postId: null, errorCode })
const unsent: ApiPart = { status: 'pending', postId: null, errorCode: null }
const unconfirmed: ApiPart = { status: 'unconfirmed', postId: null, errorCode: 'outcome_unknown' }

type Call = NonNullable<SeedParts['submits']>[number]
const one: Call = {}
const two: Call = { text: 'two', postId: '2', replyTo: '1', atMs: baseMs + 900 }
const three: Call = { text: 'three', postId: '3', replyTo: '2', atMs: baseMs + 1300 }

/** A thread of three posts on X, where the calls were made and the API shows these parts. */
function kindsFor(submits: Call[], parts: ApiPart[], status = 'success', more: SeedParts = {}): string[] {
  const expected = { thread: ['two', 'three'], ...more.expected }
  const findings = findingsOf({ ...more, expected, submits, channel: { status, parts, ...more.channel } })
  return [...judgeChannels(findings), ...judgeComments(findings)].map(({ kind }) => kind)
}

const whole = [success('1'), success('2'), success('3')]
const refused: Call = { ...two, outcome: 'refused', postId: null, fault: 'status', faultStatus: 400 }
const lost: Call = { ...two, outcome: 'dropped_before', postId: null, fault: 'drop_before' }

/** Guarantee: the posts of a thread are there once and in order, and the API says how far it is. */
test.for([
  ['published once and in order', [one, two, three], whole, 'success', []],
  ['one post twice', [one, two, two, three], whole, 'success', ['doubled']],
  ['an answer to another post', [one, two, { ...three, replyTo: '1' }], whole, 'success', ['mismatch']],
  ['a post that is not there', [one, two], whole, 'success', ['lost']],
  [
    'a post that names another id',
    [one, two, three],
    [success('1'), success('3'), success('3')],
    'success',
    ['mismatch', 'mismatch'],
  ],
  ['refused by the platform', [one, refused], [success('1'), failed('content_rejected'), unsent], 'failed', []],
  [
    'half a thread that says success',
    [one, refused],
    [success('1'), failed('content_rejected'), unsent],
    'success',
    ['mismatch'],
  ],
  ['failed without a reason', [one], [success('1'), failed('content_rejected'), unsent], 'failed', ['lost']],
  ['an answer was lost', [one, lost], [success('1'), unconfirmed, unsent], 'unconfirmed', []],
  ['in doubt without a reason', [one, two], [success('1'), unconfirmed, unsent], 'unconfirmed', ['unconfirmed']],
  [
    'went on after a post in doubt',
    [one, { ...two, outcome: 'dropped_after' }, three],
    [success('1'), unconfirmed, success('3')],
    'unconfirmed',
    ['unconfirmed', 'mismatch'],
  ],
  ['stands still', [one], [success('1'), unsent, unsent], 'publishing', ['lost']],
  ['nothing can answer it', [one], [success(null), failed('not_published'), unsent], 'failed', []],
  ['waits for what nobody knows', [one], [success(null), unsent, unsent], 'publishing', ['mismatch']],
] satisfies [string, Call[], ApiPart[], string, string[]][])('%s', ([, submits, parts, status, kinds]) => {
  expect(kindsFor(submits, parts, status)).toEqual(kinds)
})

test('an answer to another post is told with every id that it could have had, each once', () => {
  const detailOf = (first: string, submits: Call[]) => {
    const channel = { postId: first, parts: [success(first), success('2'), success('3')] }
    return judgeChannels(findingsOf({ expected: { thread: ['two', 'three'] }, submits, channel })).map(({ detail }) => detail)
  }
  expect(detailOf('1', [one, { ...two, replyTo: '3' }, three])).toEqual([expect.stringMatching(/an answer to 3, and not to 1$/)])
  const album: Call = { postId: '11,12' }
  expect(detailOf('11,12', [album, { ...two, replyTo: '12' }, three])).toEqual([
    expect.stringMatching(/an answer to 12, and not to 11,12, 11$/),
  ])
})

test('where all posts of a thread answer the first, they must', () => {
  const flat = { ...three, replyTo: '1' }
  expect(kindsFor([one, two, flat], whole, 'success', { platform: 'slack' })).toEqual([])
  expect(kindsFor([one, two, three], whole, 'success', { platform: 'slack' })).toEqual(['mismatch'])
})

test('a post behind an album answers its first message', () => {
  const album: Call = { postId: '11,12' }
  const parts = [success('11,12'), success('2'), success('3')]
  const kindsOf = (replyTo: string) =>
    kindsFor([album, { ...two, replyTo }, three], parts, 'success', { channel: { postId: '11,12' } })
  expect(kindsOf('11')).toEqual([])
  expect(kindsOf('12')).toEqual(['mismatch'])
})

test('a first comment follows the last post', () => {
  const comment = { text: 'a comment', replyTo: '3' }
  const more = { expected: { comment: comment.text } }
  expect(kindsFor([one, two, three, comment], whole, 'success', more)).toEqual([])
  expect(kindsFor([one, two, three], whole, 'success', more)).toEqual(['comment'])
  const half = [success('1'), failed('content_rejected'), unsent]
  expect(kindsFor([one, refused, comment], half, 'failed', more)).toEqual(['comment'])
})

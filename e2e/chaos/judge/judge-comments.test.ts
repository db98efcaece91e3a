import { expect, test } from 'vitest'
import { findingsOf, type SeedParts } from './findings.fixture.ts'
import { judgeComments } from './judge-comments.ts'

const comment = { text: 'a comment', replyTo: '1' }

function kindsFor(comments: SeedParts['submits'] = [], warnings: string[] = []): string[] {
  const submits = [{}, ...comments.map((each) => ({ ...comment, ...each }))]
  return judgeComments(findingsOf({ expected: { comment: comment.text }, channel: { warnings }, submits })).map(
    ({ kind }) => kind,
  )
}

/** Guarantee: a first comment is published once, and what the post says about it is true. */
test.for([
  ['published once', [{}], [], []],
  ['published twice', [{}, {}], [], ['doubled']],
  ['missing', [], [], ['comment']],
  [
    'missing after a failure, with a warning',
    [{ outcome: 'refused', fault: 'status' }],
    ['The first comment was not posted.'],
    [],
  ],
  ['missing without any failure, with a warning', [], ['The first comment was not posted.'], ['comment']],
  [
    'missing after a call that was only slow',
    [{ outcome: 'refused', fault: 'delay' }],
    ['The first comment was not posted.'],
    ['comment'],
  ],
  [
    'there, but a warning denies it',
    [{ outcome: 'dropped_after', fault: 'drop_after' }],
    ['The first comment was not posted.'],
    ['comment'],
  ],
  [
    'there, and a warning leaves it open',
    [{ outcome: 'dropped_after', fault: 'drop_after' }],
    ['The first comment may be missing.'],
    [],
  ],
] satisfies [string, SeedParts['submits'], string[], string[]][])('%s', ([, comments, warnings, kinds]) => {
  expect(kindsFor(comments, warnings)).toEqual(kinds)
})

test('a fault of the post itself is no reason for a missing comment', () => {
  const findings = findingsOf({
    expected: { comment: comment.text },
    channel: { warnings: ['The first comment was not posted.'] },
    submits: [{ outcome: 'dropped_before', fault: 'drop_before' }, {}],
  })
  expect(judgeComments(findings).map(({ kind }) => kind)).toEqual(['comment'])
})

test('a damaged answer to the post is no reason for a missing comment', () => {
  const findings = findingsOf({
    expected: { comment: comment.text },
    channel: { warnings: ['The first comment was not posted.'] },
    submits: [{ fault: 'malformed' }],
  })
  expect(judgeComments(findings).map(({ kind }) => kind)).toEqual(['comment'])
})

test('a comment without its post', () => {
  const findings = findingsOf({ expected: { comment: comment.text }, channel: { status: 'failed' }, submits: [comment] })
  expect(judgeComments(findings).map(({ kind }) => kind)).toEqual(['comment'])
})

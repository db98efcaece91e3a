import { expect, test } from 'vitest'
import type { RedactedValue, Transcript, TranscriptCall } from '../../contract/src/recording/transcript.ts'
import { compareTranscripts, judgeDifferences } from './compare-transcripts.ts'

function callOf(change: Partial<TranscriptCall> & { body?: RedactedValue } = {}): TranscriptCall {
  const { body = { id: 'id-1', state: 'FINISHED', count: 3, time: 'time' }, ...rest } = change
  return {
    kind: 'text',
    step: 'publish',
    method: 'POST',
    path: '/api/v1/statuses/id-7',
    query: null,
    request: { headers: { 'content-type': 'application/json' }, body: { text: 'text-1' } },
    status: 200,
    response: { headers: { 'content-type': 'application/json' }, body },
    ms: 80,
    ...rest,
  }
}

function transcriptOf(...calls: TranscriptCall[]): Transcript {
  const kinds = [...new Set(calls.map(({ kind }) => kind))]
  return { format: 1, platform: 'mastodon', release: '1.0.0', api: 'v1', day: '2026-11-18', kinds, calls }
}

const lines = (first: TranscriptCall[], second: TranscriptCall[]) =>
  compareTranscripts(transcriptOf(...first), transcriptOf(...second)).map(({ line }) => line)

const name = 'publish POST /api/v1/statuses/:id'

test('guarantee: two runs of the same exchange do not differ, whatever their ids, counts and times', () => {
  const second = callOf({
    path: '/api/v1/statuses/id-31',
    body: { id: 'id-31', state: 'FINISHED', count: 900, time: 'time' },
    ms: 2_000,
  })
  expect(lines([callOf()], [second])).toEqual([])
  expect(lines([callOf(), callOf()], [callOf()])).toEqual([])
})

const differing: [string, TranscriptCall[], TranscriptCall[], string[]][] = [
  [
    'a call',
    [callOf(), callOf({ method: 'GET' })],
    [callOf()],
    ['publish GET /api/v1/statuses/:id: the call is only in the transcript'],
  ],
  [
    'a status',
    [callOf({ status: 202 })],
    [callOf()],
    [`${name} 202: the status is only in the transcript`, `${name} 200: the status is missing in the transcript`],
  ],
  [
    'no answer',
    [callOf()],
    [callOf({ status: null })],
    [`${name} 200: the status is only in the transcript`, `${name} no answer: the status is missing in the transcript`],
  ],
  [
    'a header',
    [callOf({ response: { headers: { 'retry-after': '3' }, body: null } })],
    [callOf({ response: { headers: {}, body: null } })],
    [`${name} 200 headers.retry-after: the field is only in the transcript`],
  ],
  [
    'a field, with all that is in it as one',
    [callOf({ body: { account: { id: 'id-1', acct: 'id-2' }, a: [] } })],
    [callOf({ body: { a: [{ b: 1 }] } })],
    [`${name} 200 body.account: the field is only in the transcript`],
  ],
  [
    'a field in a list',
    [callOf({ body: { list: [{ a: 1 }] } })],
    [callOf({ body: { list: [{ a: 1, b: 2 }, '7 more'] } })],
    [`${name} 200 body.list[].b: the field is missing in the transcript`],
  ],
  [
    'a type',
    [callOf({ body: { id: 5 } })],
    [callOf({ body: { id: true } })],
    [`${name} 200 body.id: it is number in the transcript, not boolean`],
  ],
  [
    'a state',
    [callOf({ body: { state: 'FINISHED' } })],
    [callOf({ body: { state: 'PUBLISHED' } })],
    [`${name} 200 body.state: it is FINISHED in the transcript, not PUBLISHED`],
  ],
  [
    'what we send',
    [callOf()],
    [callOf({ request: { headers: { 'content-type': 'application/json' }, body: { status: 'text-1' } } })],
    [
      `${name} request.body.text: the field is only in the transcript`,
      `${name} request.body.status: the field is missing in the transcript`,
    ],
  ],
  ['the time', [callOf({ ms: 9_000 })], [callOf()], [`${name} takes longer in the transcript`]],
]

test.each(differing)('guarantee: a difference is listed: %s', (_what, first, second, expected) => {
  expect(lines(first, second)).toEqual(expected)
})

test('one slow call among fast ones is an accident, and no difference', () => {
  expect(lines([callOf({ ms: 9_000 }), callOf({ kind: 'photo' })], [callOf(), callOf({ kind: 'photo' })])).toEqual([])
})

test('the same difference of several kinds is one line', () => {
  const photo = { kind: 'photo' }
  const [difference, ...others] = compareTranscripts(
    transcriptOf(callOf({ body: { a: 1 } }), callOf({ ...photo, body: { a: 1 } })),
    transcriptOf(callOf({ body: {} }), callOf({ ...photo, body: {} })),
  )
  expect(others).toEqual([])
  expect(difference?.kinds).toEqual(['text', 'photo'])
})

test('guarantee: a difference needs a reason, and a reason needs a difference', () => {
  const differences = [{ line: `${name} 200 body.account: the field is only in the transcript`, kinds: ['text'], detail: null }]
  const explanation = { difference: '* body.account: the field is only in the transcript', reason: 'We do not read it.' }
  const old = { difference: `${name} 200 body.acc: *`, reason: 'It was so once.' }
  expect(judgeDifferences(differences, [])).toEqual({ unexplained: differences, explained: 0, unused: [] })
  expect(judgeDifferences(differences, [explanation])).toEqual({ unexplained: [], explained: 1, unused: [] })
  expect(judgeDifferences(differences, [explanation, old])).toEqual({ unexplained: [], explained: 1, unused: [old] })
})

import { expect, test } from 'vitest'
import { findFault, versionOf, type EditedPost, type PostAnswer } from './edited-post.ts'

// Guarantee: the judge of the drill recognises what the drill must never show.

const parts = { connections: ['a', 'b', 'c'], medias: ['m0', 'm1', 'm2'] }
const dueMs = 10_000
const post: EditedPost = { id: 'post', prefix: 'edit-1-', parts, dueMs, sent: 3, seen: 2 }

function answerOf(version: number, more: Partial<PostAnswer> = {}): PostAnswer {
  const { text, connections, medias, alts } = versionOf(post, version)
  return {
    text,
    status: 'scheduled',
    medias: medias.map((id, at) => ({ id, alt: alts[at] })) as PostAnswer['medias'],
    channels: connections.map((connection) => ({ connection })) as PostAnswer['channels'],
    ...more,
  }
}

const judge = (answer: PostAnswer, answeredMs = dueMs - 1) => findFault(post, answer, { floor: 2, answeredMs })

test('the old version and the new one are both right', () => {
  expect([judge(answerOf(2)), judge(answerOf(3))]).toEqual([null, null])
  expect(judge(answerOf(3, { status: 'completed' }), dueMs)).toBeNull()
})

test.each([
  ['an older version returned', answerOf(1), 'not one of the versions 2 to 3'],
  ['a version that nobody sent', answerOf(4), 'not one of the versions 2 to 3'],
  ['another text', answerOf(2, { text: 'something else' }), 'not one of the versions'],
  ['no text', answerOf(2, { text: null }), 'not one of the versions'],
  ['a draft', answerOf(2, { status: 'draft' }), 'not scheduled 1 ms before its time'],
  ['sent early', answerOf(2, { status: 'publishing' }), 'not scheduled 1 ms before its time'],
  ['channels of the other version', answerOf(3, { channels: answerOf(2).channels }), 'its connections are c, a, not a, b'],
  ['the file of the other version', answerOf(3, { medias: answerOf(2).medias }), 'its medias are m2, not m0'],
  ['no file', answerOf(3, { medias: [] }), 'its medias are'],
])('%s is a fault', (_what, answer, fault) => {
  expect(judge(answer)).toContain(fault)
})

test('a post that is a draft or failed after its time is a fault too', () => {
  for (const status of ['draft', 'failed', 'partial_failure'] as const)
    expect(judge(answerOf(2, { status }), dueMs)).toContain('not on its way')
})

import { expect, test } from 'vitest'
import { parsePost } from '../client/api-post.ts'
import { judgeCrowdPost } from './judge-crowd.ts'

const postWith = (status: string) => parsePost({ text: 'post', channels: [{ result: { status } }] })

test.each([
  ['published once and a success', 1, 'success', []],
  ['published twice', 2, 'success', ['doubled']],
  ['a success that the platform does not have', 0, 'success', ['lost']],
  ['never sent', 0, 'pending', ['lost']],
  ['published, and still in doubt', 1, 'unconfirmed', ['mismatch']],
  ['published, and called failed', 1, 'failed', ['mismatch']],
])('a post of the crowd: %s', (_, calls, status, kinds) => {
  expect(judgeCrowdPost('post', calls, postWith(status)).map(({ kind }) => kind)).toEqual(kinds)
})

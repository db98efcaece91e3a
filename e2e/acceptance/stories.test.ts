import { expect, test } from 'vitest'
import { call, get } from '../rig/call.ts'
import { makePng } from '../rig/files.ts'
import { newText, pathsOf, upload, type Made } from '../rig/posts.ts'
import { connectAccounts } from '../rig/server-env.ts'
import { finished, unique } from '../world.ts'

/** Guarantee: a story is judged by what the platform takes as a story, not by what it takes in the feed. */
test('a picture as tall as a phone goes out as a story, and is refused in the feed', async () => {
  const [account] = await connectAccounts(unique('story').replace(' ', '-'), 'instagram')
  const { id } = await upload(makePng(3, 1080, 1920), 'tall.png')
  const body = newText({ connections: [account?.slug], text: undefined, medias: [id] })

  const inFeed = await call('POST /content/photos', { body })
  expect([inFeed.status, inFeed.error.code, pathsOf(inFeed)]).toEqual([422, 'post_invalid', ['connections[0].medias[0]']])

  const { uploadId } = await get<Made>('POST /content/photos', { body: { ...body, contentFormat: 'story' } })
  const post = await finished(uploadId)
  expect(post.channels[0]?.result).toMatchObject({ status: 'success', error: null })

  const two = await call('POST /content/photos', { body: { ...body, contentFormat: 'story', medias: [id, id] } })
  expect([two.status, pathsOf(two)]).toEqual([422, ['connections[0].medias']])
})

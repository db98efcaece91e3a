import { expect, test } from 'vitest'
import { call, callData } from '../support/call.ts'
import { makePng } from '../support/files.ts'
import { errorPaths, textBody, uploadMedia, type CreatedPost } from '../support/posts.ts'
import { connectAccounts } from '../support/server-env.ts'
import { uniqueText, waitUntilFinished } from '../test-stack.ts'

/** Guarantee: a story is validated with the platform's rules for stories, not with those for the feed. */
test('a picture in the format of a phone screen is published as a story, and rejected for the feed', async () => {
  const [account] = await connectAccounts(uniqueText('story').replace(' ', '-'), 'instagram')
  const { id } = await uploadMedia(makePng(3, 1080, 1920), 'tall.png')
  const body = textBody({ connections: [account?.slug], text: undefined, medias: [id] })

  const inFeed = await call('POST /content/photos', { body })
  expect([inFeed.status, inFeed.error.code, errorPaths(inFeed)]).toEqual([422, 'post_invalid', ['connections[0].medias[0]']])

  const { uploadId } = await callData<CreatedPost>('POST /content/photos', { body: { ...body, contentFormat: 'story' } })
  const post = await waitUntilFinished(uploadId)
  expect(post.channels[0]?.result).toMatchObject({ status: 'success', error: null })

  const two = await call('POST /content/photos', { body: { ...body, contentFormat: 'story', medias: [id, id] } })
  expect([two.status, errorPaths(two)]).toEqual([422, ['connections[0].medias']])
})

import { expect, test } from 'vitest'
import { call, callData } from '../support/call.ts'
import { makePng } from '../support/files.ts'
import { errorPaths, textBody, uploadMedia, type CreatedPost } from '../support/posts.ts'
import { connectAccounts } from '../support/server-env.ts'
import { bluesky, carillon, findPlatformPosts, uniqueText, waitUntilFinished, x } from '../test-stack.ts'

/** Guarantee: the alt text that a person writes is on the platform. */
test('the alt text of each photo is seen on Bluesky', async () => {
  const medias = [await uploadMedia(makePng(1), 'one.png'), await uploadMedia(makePng(2), 'two.png')].map(({ id }) => id)
  const text = uniqueText('alt text')
  const mediaOptions = [{ alt: 'A bronze bell' }, { alt: `The tower, ${'seen from far away, '.repeat(200)}` }]
  const body = textBody({ connections: [bluesky], text, medias, mediaOptions, contentFormat: 'photo_carousel' })
  const { uploadId } = await callData<CreatedPost>('POST /content/photos', { body })
  const post = await waitUntilFinished(uploadId)
  expect(post.channels[0]?.result).toMatchObject({ status: 'success', warnings: [] })
  const [seen] = await findPlatformPosts(text)
  expect(seen?.media.map(({ alt }) => alt)).toEqual(mediaOptions.map(({ alt }) => alt))
})

/** Guarantee: a platform that lacks a format publishes the nearest one and says so. */
test('a story is published as a photo where there are no stories', async () => {
  const { id } = await uploadMedia(makePng(4), 'square.png')
  const text = uniqueText('story in the feed')
  const body = textBody({ connections: [x], text, medias: [id], contentFormat: 'story' })
  const { uploadId } = await callData<CreatedPost>('POST /content/photos', { body })
  const post = await waitUntilFinished(uploadId)
  expect(post.channels[0]?.result).toMatchObject({
    status: 'success',
    warnings: ['X has no stories; this will be published as a photo.'],
  })
  expect(await findPlatformPosts(text)).toHaveLength(1)
})

/** Guarantee: limits that platforms document are found before anything is queued. */
test('too many hashtags and cashtags are refused at once, and a first comment on a story is announced as left out', async () => {
  const [account] = await connectAccounts(uniqueText('limits').replace(' ', '-'), 'instagram')
  const { id } = await uploadMedia(makePng(5), 'square.png')
  const text = Array.from({ length: 31 }, (_, n) => `#bell${n}`).join(' ')
  const tooMany = await call('POST /content/photos', {
    body: { connections: [account?.slug, x], text, medias: [id], platformOptions: { [x]: { text: '$BELL and $RING' } } },
  })
  expect([tooMany.status, errorPaths(tooMany)]).toEqual([422, ['connections[0].text', 'connections[1].text']])

  const { uploadId } = await carillon.content.createPhotos({
    connections: [account?.slug ?? ''],
    medias: [id],
    contentFormat: 'story',
    firstComment: 'First!',
  })
  const post = await waitUntilFinished(uploadId)
  expect(post.channels[0]?.result).toMatchObject({ status: 'success' })
  expect(post.channels[0]?.result.warnings).toContain(
    'Instagram takes no first comment on a story; the first comment will be left out.',
  )
})

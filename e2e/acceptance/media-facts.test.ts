import { expect, test } from 'vitest'
import { call, callData } from '../support/call.ts'
import { makeMp4, makePng } from '../support/files.ts'
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

/** Guarantee: one field tells all platforms that AI made a post, also after an edit, and the post says where nobody is told. */
test('a post made with AI is labelled where there is a label', async () => {
  const [account] = await connectAccounts(uniqueText('label').replace(' ', '-'), 'instagram')
  const connections = [account?.slug ?? '', x, bluesky]
  const { id } = await uploadMedia(makePng(6), 'square.png')
  const text = uniqueText('made with AI')
  const body = textBody({ connections, text, medias: [id], saveDraft: true })
  const { draftId } = await callData<{ draftId: string }>('POST /content/photos', { body })
  expect(await carillon.content.get(draftId)).not.toHaveProperty('aiGenerated')
  expect(await carillon.content.update(draftId, { aiGenerated: true })).toMatchObject({ aiGenerated: true })
  await carillon.content.publish(draftId)
  const post = await waitUntilFinished(draftId)
  expect(post).toMatchObject({ aiGenerated: true, status: 'completed' })
  expect(post.channels.map(({ result }) => result.warnings)).toEqual([
    ['Instagram: The picture was made a JPEG.'],
    [],
    ['Bluesky has no label for posts made with AI; the post will have none.'],
  ])
  const labelled = (await findPlatformPosts(text)).flatMap(({ platform, options }) =>
    options['made_with_ai'] === 'yes' || options['is_ai_generated'] === 'yes' ? [platform] : [],
  )
  expect(labelled.toSorted()).toEqual(['instagram', 'x'])
})

/** Guarantee: a carousel of photos and videos is one post on Instagram, and no other platform is sent half of it. */
test('photos and a video are one carousel on Instagram, with the people in it', async () => {
  const [account] = await connectAccounts(uniqueText('mixed').replace(' ', '-'), 'instagram')
  const slug = account?.slug ?? ''
  const files = [await uploadMedia(makePng(7), 'one.png'), await uploadMedia(await makeMp4({ seconds: 4 }), 'clip.mp4')]
  const medias = files.map(({ id }) => id)
  const text = uniqueText('mixed')
  const refused = await call('POST /content/photos', { body: textBody({ connections: [slug, x], text, medias }) })
  expect([refused.status, errorPaths(refused)]).toEqual([422, ['connections[1].medias[1]']])
  const alone = await call('POST /content/photos', { body: textBody({ connections: [slug], text, medias: medias.slice(1) }) })
  expect(alone.status).toBe(422)

  const platformOptions = { [slug]: { userTags: [{ username: '@ringer', x: 0.2, y: 0.3 }], locationId: '110774245616525' } }
  const body = textBody({ connections: [slug], text, medias, platformOptions })
  const { uploadId } = await callData<CreatedPost>('POST /content/photos', { body })
  expect(await waitUntilFinished(uploadId)).toMatchObject({ status: 'completed' })
  const [seen] = await findPlatformPosts(text)
  expect(seen?.media).toMatchObject([
    { mime: 'image/jpeg', tags: [{ username: 'ringer', x: 0.2, y: 0.3 }] },
    { mime: 'video/mp4', tags: [] },
  ])
  expect(seen?.options).toMatchObject({ location_id: '110774245616525' })
})

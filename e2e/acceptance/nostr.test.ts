import { randomBytes } from 'node:crypto'
import { openAccount } from '@carillon/stack'
import { expect, test } from 'vitest'
import { findSubmits } from '../support/find-submits.ts'
import { makePng } from '../support/files.ts'
import { uploadMedia } from '../support/posts.ts'
import { sendRequest, textAt } from '../support/send-request.ts'
import { callSimulator, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const relay = `${testStack.simulatorUrl}/nostr`

const connect = (body: object) => sendRequest('POST', '/integrations/nostr/password', { body })

async function openKey() {
  const handle = `bell${randomBytes(4).toString('hex')}`
  const { credentials } = await openAccount(testStack.simulatorUrl, 'nostr', handle)
  return { handle, secretKey: textAt(credentials, 'accessToken') }
}

async function openConnection(fields: object = {}) {
  const { handle, secretKey } = await openKey()
  const made = await connect({ fields: { secretKey, ...fields }, instanceUrl: relay })
  return { handle, secretKey, made, slug: textAt(made.data, 'slug') }
}

test('guarantee: a key is connected with relays and a media server, is never shown, and its notes have files with alt texts and a comment', async () => {
  const { handle, secretKey, made, slug } = await openConnection({ mediaServer: relay })
  const { host } = new URL(relay)
  expect(made).toMatchObject({
    data: { platform: 'nostr', displayName: handle, handle: `${handle}@${host}`, instanceUrl: relay },
  })
  expect(JSON.stringify(made)).not.toContain(secretKey)
  const medias = await Promise.all([7, 8].map(async (side) => (await uploadMedia(makePng(side), `bell-${side}.png`)).id))
  const text = uniqueText('hello, relays #Bells')
  const created = await carillon.content.createPhotos({
    connections: [slug],
    text,
    medias,
    mediaOptions: [{ alt: 'A bronze bell' }, { alt: 'A tower' }],
    firstComment: `${text}, and more`,
    platformOptions: { [slug]: { contentWarning: 'Loud' } },
  })
  const post = await waitUntilFinished(created.uploadId)
  expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success', warnings: [] } }] })
  const [seen] = await findPlatformPosts(text)
  expect(seen).toMatchObject({
    media: [{ alt: 'A bronze bell' }, { alt: 'A tower' }],
    options: { 'tag t': 'bells', 'tag content-warning': 'Loud' },
  })
  // The comment is a part of its own, and may follow the post a little later.
  const findComment = async () => (await findPlatformPosts(`${text}, and more`))[0]
  await expect.poll(findComment, { timeout: 20_000 }).toMatchObject({ replyTo: post.channels[0]?.result.postId })
})

test('a thread is a chain of notes', async () => {
  const { slug } = await openConnection()
  const texts = ['one', 'two', 'three'].map((each) => uniqueText(each))
  const created = await carillon.content.createText({
    connections: [slug],
    text: texts[0] ?? '',
    thread: texts.slice(1).map((text) => ({ text })),
  })
  expect(await waitUntilFinished(created.uploadId)).toMatchObject({ status: 'completed' })
  const seen = (await Promise.all(texts.map((text) => findPlatformPosts(text)))).flat()
  expect(seen.map(({ replyTo }) => replyTo)).toEqual([null, seen[0]?.id, seen[1]?.id])
})

/** Guarantee: what one relay has taken is published once, and the person learns which relays have not. */
test('a relay that refuses is named in a warning', async () => {
  const { slug } = await openConnection({ relays: `${relay}/relay/second, ${relay}/relay/closed` })
  const text = uniqueText('several')
  const created = await carillon.content.createText({ connections: [slug], text })
  const { channels } = await waitUntilFinished(created.uploadId)
  expect(channels[0]?.result).toMatchObject({ status: 'success', warnings: [expect.stringContaining(new URL(relay).host)] })
  expect(await findPlatformPosts(text)).toHaveLength(1)
})

/** Guarantee: a lost answer ends with one note, whether or not the relay had taken it, because the same event is sent again. */
test('a lost answer is repeated with the same event', { timeout: 180_000 }, async () => {
  const text = uniqueText('lost')
  const outcomes = ['drop_after', 'drop_before'].map(async (kind) => {
    const { handle, slug } = await openConnection()
    await callSimulator('POST', 'faults', { platform: 'nostr', handle, operation: 'submit', times: 1, fault: { kind } })
    const own = `${text} ${kind}`
    const made = await carillon.content.createText({ connections: [slug], text: own })
    const { channels } = await waitUntilFinished(made.uploadId, 150_000)
    const { carriedOut } = await findSubmits(own)
    return [channels[0]?.result.status, (await findPlatformPosts(own)).length, carriedOut]
  })
  expect(await Promise.all(outcomes)).toEqual([
    ['success', 1, 1],
    ['success', 1, 1],
  ])
})

test('without a media server a post with files is refused before it is made', async () => {
  const { slug } = await openConnection()
  const { id } = await uploadMedia(makePng(9), 'bell-9.png')
  const text = uniqueText('files')
  await expect
    .poll(
      () =>
        carillon.content
          .createPhotos({ connections: [slug], text, medias: [id], saveDraft: true })
          .then(({ draftId }) => carillon.content.publish(draftId ?? ''))
          .then(
            () => 'made',
            (error: { code?: string }) => error.code,
          ),
      { timeout: 20_000, interval: 1000 },
    )
    .toBe('post_invalid')
})

test('connecting says which mistake was made, and goes to no address inside', async () => {
  const { secretKey } = await openKey()
  const refused = { status: 422, code: 'connect_refused' }
  expect(await connect({ fields: { secretKey: 'nsec1nothing' }, instanceUrl: relay })).toMatchObject(refused)
  expect(await connect({ fields: { secretKey }, instanceUrl: `${testStack.simulatorUrl}/feed` })).toMatchObject(refused)
  expect(await connect({ fields: { secretKey, relays: 'ws://10.0.0.1' }, instanceUrl: relay })).toMatchObject(refused)
  expect(await connect({ fields: {}, instanceUrl: relay })).toMatchObject({ status: 422, code: 'request_invalid' })
  // Only the network that the operator of this stack allows is called.
  expect(await connect({ fields: { secretKey }, instanceUrl: 'wss://10.0.0.1' })).toMatchObject({
    status: 422,
    code: 'url_refused',
  })
})

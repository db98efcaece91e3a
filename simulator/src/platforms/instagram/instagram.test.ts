import { expect, test } from 'vitest'
import { serveFiles } from '../../../test/serve-files.ts'
import { valueAt, toList, startTestSimulator, textAt } from '../../../test/start-test-simulator.ts'

const me = '/instagram/v26.0/me'

/** The start of a JPEG file, up to its frame header. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffd8ffc0000b080000000001011100ffd9', 'hex')
  frame.writeUInt16BE(height, 7)
  frame.writeUInt16BE(width, 9)
  return frame
}

const files = {
  '/square.jpg': { mime: 'image/jpeg', bytes: jpeg(10, 10) },
  '/tall.jpg': { mime: 'image/jpeg', bytes: jpeg(10, 20) },
  '/bell.png': { mime: 'image/png', bytes: 'png' },
  '/bell.mp4': { mime: 'video/mp4', bytes: 'film' },
}

async function setUp() {
  const simulator = await startTestSimulator()
  const { token, id: user } = await simulator.openAccount('instagram')
  const media = await serveFiles(files)
  const stage = (fields: Record<string, string>) =>
    simulator.request(`${me}/media`, {
      token,
      form: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.replace(/^\//, `${media.origin}/`)])),
    })
  const state = (id: string) => simulator.request(`/instagram/v26.0/${id}?fields=status_code,status`, { token })
  const settled = async (id: string) => {
    await expect.poll(async () => valueAt((await state(id)).body, 'status_code')).not.toBe('IN_PROGRESS')
    return (await state(id)).body
  }
  const publish = (creation_id: string) =>
    simulator.request(`/instagram/v26.0/${user}/media_publish`, { token, form: { creation_id } })
  const dispose = async () => {
    media[Symbol.dispose]()
    await simulator[Symbol.asyncDispose]()
  }
  return { simulator, token, user, stage, settled, publish, [Symbol.asyncDispose]: dispose }
}

test('a photo is staged, published once, read back without its caption, and commented on', async () => {
  await using setup = await setUp()
  const { simulator, token, user, stage, settled, publish } = setup
  expect((await simulator.request(`${me}?fields=user_id,username`, { token })).body).toMatchObject({
    user_id: user,
    username: 'alice',
  })
  const id = textAt((await stage({ image_url: '/square.jpg', caption: 'bells', alt_text: 'a bell' })).body, 'id')
  expect(await settled(id)).toMatchObject({ status_code: 'FINISHED' })
  const media = textAt((await publish(id)).body, 'id')
  expect(await settled(id)).toMatchObject({ status_code: 'PUBLISHED' })
  expect((await publish(id)).status).toBe(400)
  expect(await simulator.posts()).toMatchObject([{ text: 'bells', media: [{ alt: 'a bell' }] }])
  const listed = await simulator.request(`${me}/media?fields=id,permalink,timestamp,caption`, { token })
  expect(Object.keys(Object(valueAt(listed.body, 'data', 0))).toSorted()).toEqual(['id', 'permalink', 'timestamp'])
  expect((await fetch(textAt(listed.body, 'data', 0, 'permalink'))).status).toBe(200)
  const insights = `/instagram/v26.0/${media}/insights?metric=views,comments`
  expect((await simulator.request(insights, { token })).body).toEqual({ data: [] })
  await simulator.request(`/instagram/v26.0/${media}/comments`, { token, form: { message: 'first' } })
  expect((await simulator.request(`/instagram/v26.0/${media}/comments?fields=text`, { token })).body).toMatchObject({
    data: [{ text: 'first' }],
  })
  expect(valueAt((await simulator.request(insights, { token })).body, 'data', 1)).toMatchObject({
    name: 'comments',
    values: [{ value: 1 }],
  })
  expect(valueAt((await simulator.request(`${me}/content_publishing_limit`, { token })).body, 'data', 0)).toMatchObject({
    quota_usage: 1,
  })
})

test.each([
  ['an image that is too tall', { image_url: '/tall.jpg' }, '2207009'],
  ['a PNG file', { image_url: '/bell.png' }, '2207005'],
  ['a missing file', { image_url: '/gone.jpg' }, '2207052'],
  ['an image instead of a video', { media_type: 'REELS', video_url: '/square.jpg' }, '2207026'],
])('%s fails while it is fetched', async (_, fields, subcode) => {
  await using setup = await setUp()
  const id = textAt((await setup.stage(fields)).body, 'id')
  expect(await setup.settled(id)).toMatchObject({ status_code: 'ERROR', status: expect.stringContaining(subcode) })
  expect(await setup.publish(id)).toMatchObject({ status: 400, body: { error: { code: 9007 } } })
})

test.each([
  ['2,200 characters', 'a'.repeat(2200), 200],
  ['2,201 characters', 'a'.repeat(2201), 400],
  ['30 hashtags', '#a '.repeat(30), 200],
  ['31 hashtags', '#a '.repeat(31), 400],
  ['20 mentions', '@a '.repeat(20), 200],
  ['21 mentions', '@a '.repeat(21), 400],
])('a caption of %s', async (_, caption, status) => {
  await using setup = await setUp()
  const answer = await setup.stage({ image_url: '/square.jpg', caption })
  expect(answer.status).toBe(status)
  expect(valueAt(answer.body, 'error', 'error_subcode')).toBe(status === 400 ? 2_207_010 : undefined)
})

test('carousels, reels and stories are published', async () => {
  await using setup = await setUp()
  const { simulator, stage, settled, publish } = setup
  const item = { is_carousel_item: 'true' }
  const children = [
    textAt((await stage({ ...item, image_url: '/square.jpg', alt_text: 'one' })).body, 'id'),
    textAt((await stage({ ...item, media_type: 'VIDEO', video_url: '/bell.mp4' })).body, 'id'),
  ]
  expect((await stage({ media_type: 'CAROUSEL', children: children[0] ?? '' })).status).toBe(400)
  const fields = { media_type: 'CAROUSEL', children: children.join(), caption: 'two' }
  // Its slowest item must be ready first.
  expect(await stage(fields)).toMatchObject({ status: 400, body: { error: { error_subcode: 2207027 } } })
  for (const child of children) await settled(child)
  const carousel = textAt((await stage(fields)).body, 'id')
  expect(await settled(carousel)).toMatchObject({ status_code: 'FINISHED' })
  expect((await stage({ media_type: 'VIDEO', video_url: '/bell.mp4' })).status).toBe(400)
  const reel = textAt((await stage({ media_type: 'REELS', video_url: '/bell.mp4', caption: 'reel' })).body, 'id')
  const story = textAt((await stage({ media_type: 'STORIES', image_url: '/tall.jpg', caption: 'unseen' })).body, 'id')
  for (const id of [carousel, reel, story]) {
    await settled(id)
    expect((await publish(id)).status).toBe(200)
  }
  const posts = await simulator.posts()
  expect(posts.map((post) => [valueAt(post, 'text'), toList(valueAt(post, 'media')).length])).toEqual([
    ['two', 2],
    ['reel', 1],
    ['', 1],
  ])
})

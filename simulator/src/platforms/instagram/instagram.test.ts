import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { at, list, openTestWorld, text } from '../../../test/start-test-simulator.ts'

const me = '/instagram/v26.0/me'

/** A JPEG as far as its frame header. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffd8ffc0000b080000000001011100ffd9', 'hex')
  frame.writeUInt16BE(height, 7)
  frame.writeUInt16BE(width, 9)
  return frame
}

const files: Record<string, [mime: string, bytes: Buffer]> = {
  '/square.jpg': ['image/jpeg', jpeg(10, 10)],
  '/tall.jpg': ['image/jpeg', jpeg(10, 20)],
  '/bell.png': ['image/png', Buffer.from('png')],
  '/bell.mp4': ['video/mp4', Buffer.from('film')],
}

async function open() {
  const world = await openTestWorld()
  const { token, id: user } = await world.join('instagram')
  const host = createServer(({ url = '' }, response) => {
    const [mime, bytes] = files[url] ?? ['text/plain', Buffer.from('none')]
    response.writeHead(files[url] ? 200 : 404, { 'content-type': mime }).end(bytes)
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  const address = host.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const stage = (fields: Record<string, string>) =>
    world.ask(`${me}/media`, {
      token,
      form: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.replace(/^\//, `${origin}/`)])),
    })
  const state = (id: string) => world.ask(`/instagram/v26.0/${id}?fields=status_code,status`, { token })
  const settled = async (id: string) => {
    await expect.poll(async () => at((await state(id)).body, 'status_code')).not.toBe('IN_PROGRESS')
    return (await state(id)).body
  }
  const publish = (creation_id: string) => world.ask(`/instagram/v26.0/${user}/media_publish`, { token, form: { creation_id } })
  const dispose = async () => {
    host.close()
    await world[Symbol.asyncDispose]()
  }
  return { world, token, user, stage, settled, publish, [Symbol.asyncDispose]: dispose }
}

test('a photo is staged, published once, read back without its caption, and commented on', async () => {
  await using scene = await open()
  const { world, token, user, stage, settled, publish } = scene
  expect((await world.ask(`${me}?fields=user_id,username`, { token })).body).toMatchObject({ user_id: user, username: 'alice' })
  const id = text((await stage({ image_url: '/square.jpg', caption: 'bells', alt_text: 'a bell' })).body, 'id')
  expect(await settled(id)).toMatchObject({ status_code: 'FINISHED' })
  const media = text((await publish(id)).body, 'id')
  expect(await settled(id)).toMatchObject({ status_code: 'PUBLISHED' })
  expect((await publish(id)).status).toBe(400)
  expect(await world.posts()).toMatchObject([{ text: 'bells', media: [{ alt: 'a bell' }] }])
  const listed = await world.ask(`${me}/media?fields=id,permalink,timestamp,caption`, { token })
  expect(Object.keys(Object(at(listed.body, 'data', 0))).toSorted()).toEqual(['id', 'permalink', 'timestamp'])
  expect((await fetch(text(listed.body, 'data', 0, 'permalink'))).status).toBe(200)
  const insights = `/instagram/v26.0/${media}/insights?metric=views,comments`
  expect((await world.ask(insights, { token })).body).toEqual({ data: [] })
  await world.ask(`/instagram/v26.0/${media}/comments`, { token, form: { message: 'first' } })
  expect((await world.ask(`/instagram/v26.0/${media}/comments?fields=text`, { token })).body).toMatchObject({
    data: [{ text: 'first' }],
  })
  expect(at((await world.ask(insights, { token })).body, 'data', 1)).toMatchObject({ name: 'comments', values: [{ value: 1 }] })
  expect(at((await world.ask(`${me}/content_publishing_limit`, { token })).body, 'data', 0)).toMatchObject({ quota_usage: 1 })
})

test.each([
  ['a shape too tall', { image_url: '/tall.jpg' }, '2207009'],
  ['PNG', { image_url: '/bell.png' }, '2207005'],
  ['a file that is not there', { image_url: '/gone.jpg' }, '2207052'],
  ['a photo where a film should be', { media_type: 'REELS', video_url: '/square.jpg' }, '2207026'],
])('%s fails while it is fetched', async (_, fields, subcode) => {
  await using scene = await open()
  const id = text((await scene.stage(fields)).body, 'id')
  expect(await scene.settled(id)).toMatchObject({ status_code: 'ERROR', status: expect.stringContaining(subcode) })
  expect(await scene.publish(id)).toMatchObject({ status: 400, body: { error: { code: 9007 } } })
})

test.each([
  ['2,200 characters', 'a'.repeat(2200), 200],
  ['one more', 'a'.repeat(2201), 400],
  ['30 hashtags', '#a '.repeat(30), 200],
  ['31 hashtags', '#a '.repeat(31), 400],
  ['20 mentions', '@a '.repeat(20), 200],
  ['21 mentions', '@a '.repeat(21), 400],
])('a caption of %s', async (_, caption, status) => {
  await using scene = await open()
  const answer = await scene.stage({ image_url: '/square.jpg', caption })
  expect(answer.status).toBe(status)
  expect(at(answer.body, 'error', 'error_subcode')).toBe(status === 400 ? 2_207_010 : undefined)
})

test('carousels, reels and stories', async () => {
  await using scene = await open()
  const { world, stage, settled, publish } = scene
  const item = { is_carousel_item: 'true' }
  const children = [
    text((await stage({ ...item, image_url: '/square.jpg', alt_text: 'one' })).body, 'id'),
    text((await stage({ ...item, media_type: 'VIDEO', video_url: '/bell.mp4' })).body, 'id'),
  ]
  expect((await stage({ media_type: 'CAROUSEL', children: children[0] ?? '' })).status).toBe(400)
  const carousel = text((await stage({ media_type: 'CAROUSEL', children: children.join(), caption: 'two' })).body, 'id')
  // The parent is ready when its slowest child is, whenever it was made.
  expect(await settled(carousel)).toMatchObject({ status_code: 'FINISHED' })
  expect((await stage({ media_type: 'VIDEO', video_url: '/bell.mp4' })).status).toBe(400)
  const reel = text((await stage({ media_type: 'REELS', video_url: '/bell.mp4', caption: 'reel' })).body, 'id')
  const story = text((await stage({ media_type: 'STORIES', image_url: '/tall.jpg', caption: 'unseen' })).body, 'id')
  for (const id of [carousel, reel, story]) {
    await settled(id)
    expect((await publish(id)).status).toBe(200)
  }
  const posts = await world.posts()
  expect(posts.map((post) => [at(post, 'text'), list(at(post, 'media')).length])).toEqual([
    ['two', 2],
    ['reel', 1],
    ['', 1],
  ])
})

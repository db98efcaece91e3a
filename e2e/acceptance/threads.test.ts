import { expect, test } from 'vitest'
import { carillon, findPlatformPosts, testStack, textConnections, uniqueText, waitUntilFinished } from '../test-stack.ts'

test('a thread goes out in order on every platform that has threads, each post an answer to the one before it', async () => {
  const mark = uniqueText('thread')
  const texts = Array.from({ length: 4 }, (_, index) => `${mark} ${index + 1}/4`)
  const [text = '', ...rest] = texts
  const made = await carillon.content.createText({
    connections: textConnections,
    text,
    thread: rest.map((each) => ({ text: each })),
    firstComment: `${mark} comment`,
  })
  const post = await waitUntilFinished(made.uploadId)
  expect(post).toMatchObject({ status: 'completed', thread: rest.map((each) => ({ text: each })) })
  const all = [...texts, `${mark} comment`]
  const find = async () => (await Promise.all(all.map((each) => findPlatformPosts(each)))).flat()
  await expect.poll(async () => (await find()).length, { timeout: 30_000 }).toBe(all.length * textConnections.length)
  const seen = await find()
  for (const { platform, result } of post.channels) {
    const posts = seen.filter((each) => each.platform === platform).toSorted((a, b) => a.atMs - b.atMs)
    expect(posts.map((each) => each.text)).toEqual(all)
    // Each answers the one before it.
    expect(posts.map(({ replyTo }) => replyTo)).toEqual([null, ...posts.slice(0, -1).map(({ id }) => id)])
    expect(result.parts?.map(({ status, postId }) => [status, postId])).toEqual(
      posts.slice(0, -1).map(({ id }) => ['success', id]),
    )
    expect(result.postId).toBe(posts[0]?.id)
  }
  await carillon.content.remove(made.uploadId, { unpublish: 'true' })
  const left = (await find()).filter(({ deleted }) => !deleted)
  expect(left.map((each) => each.text)).toEqual(textConnections.map(() => `${mark} comment`))
  // X takes an answer some seconds after the post at the earliest.
}, 120_000)

const linkedin = testStack.connections.find((slug) => slug.startsWith('linkedin-')) ?? ''

test('a platform without threads refuses by name, and takes the first post alone if told so', async () => {
  const text = uniqueText('no thread')
  const body = { connections: [linkedin, ...textConnections.slice(0, 1)], text, thread: [{ text: `${text} 2` }] }
  await expect(carillon.content.createText(body)).rejects.toMatchObject({
    status: 422,
    details: [{ code: 'thread_not_taken', path: 'connections[0].thread', message: expect.stringContaining('LinkedIn') }],
  })
  const made = await carillon.content.createText({ ...body, platformOptions: { [linkedin]: { thread: null } } })
  expect(await waitUntilFinished(made.uploadId)).toMatchObject({ status: 'completed' })
  expect((await findPlatformPosts(text)).map(({ platform }) => platform).toSorted()).toEqual(['bluesky', 'linkedin'])
  expect((await findPlatformPosts(`${text} 2`)).map(({ platform }) => platform)).toEqual(['bluesky'])
})

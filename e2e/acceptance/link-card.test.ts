import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { makePng } from '../support/png.ts'
import { bluesky, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const linkedin = testStack.connections.find((slug) => slug.startsWith('linkedin-')) ?? ''

/** A page with a picture. It counts how often each was asked for. */
async function servePage() {
  const asked: string[] = []
  const picture = makePng(0, 400, 300)
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (url === '/picture.png') response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>Bells</title><meta name=description content="On the hour."><meta property="og:image" content="picture.png">')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/bells`, asked, [Symbol.dispose]: () => void server.close() }
}

test('a link becomes a card with the title, the description and the picture of its page', async () => {
  using page = await servePage()
  const text = uniqueText('linked')
  const made = await carillon.content.createText({ connections: [bluesky, linkedin], text, linkUrl: page.url })
  const { channels } = await waitUntilFinished(made.uploadId, 90_000)
  expect(channels.map(({ result }) => [result.status, result.warnings])).toEqual([
    ['success', []],
    ['success', []],
  ])
  const card = { url: page.url, title: 'Bells', description: 'On the hour.', picture: expect.any(String) }
  expect((await findPlatformPosts(text)).map(({ link }) => link)).toEqual([card, card])
  expect(page.asked).toEqual(['/bells', '/picture.png'])
}, 120_000)

test('a page that cannot be read costs the post its card, and the result says so', async () => {
  const text = uniqueText('linked to nothing')
  const linkUrl = 'http://127.0.0.1:9/'
  const made = await carillon.content.createText({ connections: [bluesky], text, linkUrl })
  const [channel] = (await waitUntilFinished(made.uploadId)).channels
  expect(channel?.result).toMatchObject({ status: 'success', warnings: [expect.stringContaining('shows the address only')] })
  expect((await findPlatformPosts(text))[0]?.link).toMatchObject({ url: linkUrl, title: '127.0.0.1:9' })
})

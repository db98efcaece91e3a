import { expect, test } from 'vitest'
import { servePage } from '../support/serve-files.ts'
import { bluesky, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const linkedin = testStack.connections.find((slug) => slug.startsWith('linkedin-')) ?? ''

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

test('the card can be seen before the post is published, and costs no second visit of the page', async () => {
  using page = await servePage()
  const card = { url: page.url, title: 'Bells', description: 'On the hour.' }
  const shown = await carillon.content.linkCard(page.url)
  expect(shown).toEqual({ ...card, picture: expect.stringMatching(/^data:image\/(png|jpeg);base64,/) })
  expect(await carillon.content.linkCard(page.url)).toEqual(shown)
  expect(page.asked).toEqual(['/bells', '/picture.png'])
  expect(await carillon.content.linkCard('http://127.0.0.1:9/')).toMatchObject({ title: null, description: null, picture: null })
  expect(await carillon.content.linkCard('file:///etc/passwd').catch((error: unknown) => error)).toMatchObject({ status: 422 })
})

test('a page that cannot be read costs the post its card, and the result says so', async () => {
  const text = uniqueText('linked to nothing')
  const linkUrl = 'http://127.0.0.1:9/'
  const made = await carillon.content.createText({ connections: [bluesky], text, linkUrl })
  const [channel] = (await waitUntilFinished(made.uploadId)).channels
  expect(channel?.result).toMatchObject({ status: 'success', warnings: [expect.stringContaining('shows the address only')] })
  expect((await findPlatformPosts(text))[0]?.link).toMatchObject({ url: linkUrl, title: '127.0.0.1:9' })
})

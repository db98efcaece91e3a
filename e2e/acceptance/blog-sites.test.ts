import { randomBytes } from 'node:crypto'
import { openAccount } from '@carillon/stack'
import { expect, test } from 'vitest'
import { makePng } from '../support/files.ts'
import { uploadMedia } from '../support/posts.ts'
import { sendRequest, textAt } from '../support/send-request.ts'
import { callSimulator, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const instanceUrl = `${testStack.simulatorUrl}/wordpress`

const connect = (body: object) => sendRequest('POST', '/integrations/wordpress/password', { body })

async function openWriter(role = 'writer') {
  const handle = `${role}-${randomBytes(4).toString('hex')}`
  const { credentials } = await openAccount(testStack.simulatorUrl, 'wordpress', handle)
  return { handle, fields: { username: handle, password: textAt(credentials['extra'], 'password') } }
}

test('guarantee: a site is connected by its address and an application password, and gets posts with a title, pictures and tags', async () => {
  const { handle, fields } = await openWriter()
  const made = await connect({ fields, instanceUrl })
  const { host } = new URL(instanceUrl)
  expect(made).toMatchObject({
    data: { platform: 'wordpress', displayName: 'Bells & Towers', handle: `${handle}@${host}`, instanceUrl },
  })
  expect(JSON.stringify(made)).not.toContain(fields.password)
  const slug = textAt(made.data, 'slug')
  const medias: string[] = []
  for (const side of [7, 8]) medias.push((await uploadMedia(makePng(side), `bell-${side}.png`)).id)
  const text = uniqueText('hello, readers')
  const created = await carillon.content.createPhotos({
    connections: [slug],
    text,
    title: 'On bells',
    medias,
    mediaOptions: [{ alt: 'A bronze bell' }, { alt: 'A tower' }],
    platformOptions: { [slug]: { tags: ['Bells'], categories: ['News'] } },
  })
  const post = await waitUntilFinished(created.uploadId)
  expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success' } }] })
  const [seen] = await findPlatformPosts(text)
  expect(seen).toMatchObject({
    media: [{ alt: 'A bronze bell' }, { alt: 'A tower' }],
    options: { tags: 'Bells', categories: 'News' },
  })
  const page = await fetch(post.channels[0]?.result.postUrl ?? '')
  expect(await page.text()).toContain('On bells')
})

test('connecting says which mistake was made', async () => {
  const { fields } = await openWriter()
  const refused = { status: 422, code: 'connect_refused' }
  expect(await connect({ fields: { ...fields, password: 'a'.repeat(24) }, instanceUrl })).toMatchObject(refused)
  expect(await connect({ fields, instanceUrl: `${testStack.simulatorUrl}/feed` })).toMatchObject(refused)
  const { fields: helper } = await openWriter('contributor')
  expect(await connect({ fields: helper, instanceUrl })).toMatchObject(refused)
  // Only the network that the operator of this stack allows is called.
  expect(await connect({ fields, instanceUrl: 'http://10.0.0.1' })).toMatchObject({ status: 422, code: 'url_refused' })
})

const ghostUrl = `${testStack.simulatorUrl}/ghost`

const connectGhost = (body: object) => sendRequest('POST', '/integrations/ghost/password', { body })

async function openGhost(role = 'writer') {
  const handle = `${role}-${randomBytes(4).toString('hex')}`
  const { credentials } = await openAccount(testStack.simulatorUrl, 'ghost', handle)
  return { handle, adminKey: textAt(credentials, 'accessToken') }
}

test('guarantee: a site with Ghost is connected by a key that is never shown, and gets a post with pictures, tags and its own audience', async () => {
  const { handle, adminKey } = await openGhost()
  const made = await connectGhost({ fields: { adminKey }, instanceUrl: ghostUrl })
  expect(made).toMatchObject({
    data: { platform: 'ghost', displayName: 'Bells & Towers', handle: `${handle}.ghost.example`, instanceUrl: ghostUrl },
  })
  expect(JSON.stringify(made)).not.toContain(adminKey.split(':')[1])
  const slug = textAt(made.data, 'slug')
  const medias: string[] = []
  for (const side of [7, 8, 9]) medias.push((await uploadMedia(makePng(side), `bell-${side}.png`)).id)
  const text = uniqueText('hello, members')
  const created = await carillon.content.createPhotos({
    connections: [slug],
    text,
    title: 'On bells',
    medias,
    mediaOptions: [{ alt: 'A bronze bell' }, { alt: 'A tower' }, { alt: 'A rope' }],
    platformOptions: { [slug]: { tags: ['Bells'], visibility: 'members' } },
  })
  const post = await waitUntilFinished(created.uploadId)
  expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success' } }] })
  const [seen] = await findPlatformPosts(text)
  expect(seen).toMatchObject({
    media: [{ alt: 'A bronze bell' }, { alt: 'A tower' }, { alt: 'A rope' }],
    options: { tags: 'Bells', visibility: 'members' },
  })
})

const sites = [
  {
    platform: 'wordpress',
    name: 'WordPress',
    async open() {
      const { handle, fields } = await openWriter()
      return { handle, connection: await connect({ fields, instanceUrl }) }
    },
  },
  {
    platform: 'ghost',
    name: 'Ghost',
    async open() {
      const { handle, adminKey } = await openGhost()
      return { handle, connection: await connectGhost({ fields: { adminKey }, instanceUrl: ghostUrl }) }
    },
  },
]

/** Guarantee: after a lost answer a post is found by its slug, and one that is not there is not sent again. */
test.each(sites)(
  'a lost answer of $name is found, or unconfirmed if the site has no such post',
  { timeout: 180_000 },
  async ({ platform, open }) => {
    const text = uniqueText('lost')
    const outcomes = ['drop_after', 'drop_before'].map(async (kind) => {
      const { handle, connection } = await open()
      await callSimulator('POST', 'faults', { platform, handle, operation: 'submit', times: 1, fault: { kind } })
      const own = `${text} ${kind}`
      const made = await carillon.content.createText({ connections: [textAt(connection.data, 'slug')], text: own })
      const { channels } = await waitUntilFinished(made.uploadId, 150_000)
      return [channels[0]?.result.status, (await findPlatformPosts(own)).length]
    })
    expect(await Promise.all(outcomes)).toEqual([
      ['success', 1],
      ['unconfirmed', 0],
    ])
  },
)

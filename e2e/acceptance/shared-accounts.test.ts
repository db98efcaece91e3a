import { randomBytes } from 'node:crypto'
import type { Post } from '@carillon/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { authorizeAccount, confirmAccount, signInAdmin } from '../support/connect-account.ts'
import { findSubmits } from '../support/find-submits.ts'
import { textAt } from '../support/send-request.ts'
import { callSimulator, carillon, findPlatformPosts, otherTenant, testStack, uniqueText } from '../test-stack.ts'

/** Guarantee: a post on a platform is reported for one channel only. An equal text that was lost is unconfirmed, not published. */

const home = { client: carillon, key: testStack.apiKey, workspaceId: testStack.workspaceId }
const other = { client: otherTenant, key: testStack.otherApiKey, workspaceId: testStack.otherWorkspaceId }
type Tenant = typeof home

const browsers = new Map<string, Browser>()
beforeAll(async () => {
  for (const { workspaceId, key } of [home, other]) browsers.set(workspaceId, await signInAdmin(workspaceId, key))
}, 120_000)

const newHandle = () => `s${randomBytes(5).toString('hex')}`

async function connect({ workspaceId, key }: Tenant, platform: string, handle: string): Promise<{ id: string; slug: string }> {
  const browser = browsers.get(workspaceId)
  if (!browser) throw new Error('nobody is signed in')
  const { data } = await confirmAccount(browser, await authorizeAccount({ platform, handle, key, workspaceId }))
  return { id: textAt(data, 'id'), slug: textAt(data, 'slug') }
}

async function publish({ client }: Tenant, slug: string, text: string): Promise<Post['channels'][number]['result'] | undefined> {
  const { uploadId } = await client.content.createText({ connections: [slug], text })
  await client.content.waitUntilFinished(uploadId, { timeoutMs: 150_000 })
  const post = await client.content.get(uploadId)
  return post.channels[0]?.result
}

const failNext = (platform: string, handle: string, fault: object) =>
  callSimulator('POST', 'faults', { platform, handle, operation: 'submit', times: 1, fault })

test('one account in two workspaces: the post of one is not reported for the other', { timeout: 200_000 }, async () => {
  const handle = newHandle()
  const [first, second] = [await connect(home, 'x', handle), await connect(other, 'x', handle)]
  const text = uniqueText('We are hiring')
  expect(await publish(home, first.slug, text)).toMatchObject({ status: 'success' })
  await failNext('x', handle, { kind: 'drop_before' })
  expect(await publish(other, second.slug, text)).toMatchObject({ status: 'unconfirmed', postId: null, postUrl: null })
  expect(await findPlatformPosts(text)).toHaveLength(1)
})

test(
  'an account that was connected again: a post from before is not reported for a later one',
  { timeout: 200_000 },
  async () => {
    const handle = newHandle()
    const before = await connect(home, 'x', handle)
    const text = uniqueText('Good morning')
    expect(await publish(home, before.slug, text)).toMatchObject({ status: 'success' })
    await carillon.workspaces.disconnect(testStack.workspaceId, before.id)
    const after = await connect(home, 'x', handle)
    expect(after.id).not.toBe(before.id)
    await failNext('x', handle, { kind: 'drop_before' })
    expect(await publish(home, after.slug, text)).toMatchObject({ status: 'unconfirmed', postId: null })
    expect(await findPlatformPosts(text)).toHaveLength(1)
  },
)

describe('a platform that refuses the second attempt as a duplicate', () => {
  test.each(['x', 'linkedin'])(
    '%s: it is published, because the first attempt was carried out',
    { timeout: 200_000 },
    async (platform) => {
      const handle = newHandle()
      const { slug } = await connect(home, platform, handle)
      const text = uniqueText('Refused after it was made')
      await failNext(platform, handle, { kind: 'status', status: 429, commit: true, retryAfterSeconds: 2 })
      const result = await publish(home, slug, text)
      const [post] = await findPlatformPosts(text)
      expect(result).toMatchObject({ status: 'success', postId: post?.id })
      expect(await findSubmits(text)).toMatchObject({ asked: 2, carriedOut: 1 })
    },
  )

  test('it fails if the post is another one of the same account', { timeout: 200_000 }, async () => {
    const { slug } = await connect(home, 'x', newHandle())
    const text = uniqueText('The same again')
    expect(await publish(home, slug, text)).toMatchObject({ status: 'success' })
    expect(await publish(home, slug, text)).toMatchObject({ status: 'failed', postId: null, error: { code: 'content_rejected' } })
    expect(await findPlatformPosts(text)).toHaveLength(1)
  })
})

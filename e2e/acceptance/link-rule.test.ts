import { randomBytes } from 'node:crypto'
import type { Import, Workspace } from '@carillon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callData } from '../support/call.ts'
import { dayMs } from '../support/posts.ts'
import {
  bluesky,
  callSimulator,
  carillon,
  findPlatformPosts,
  mastodon,
  testStack,
  timeAfter,
  uniqueText,
  waitUntilFinished,
  x,
} from '../test-stack.ts'

/** A site of its own, so that the rule changes no link of another test. */
const site = `bells-${randomBytes(4).toString('hex')}.example`
const link = `https://www.${site}/peal?size=2#top`
const tagged = (source: string) => `https://www.${site}/peal?size=2&utm_source=${source}&utm_medium=social#top`
const setRule = (rule: Workspace['utm'] | null) => carillon.workspaces.update(testStack.workspaceId, { utm: rule ?? null })
const rule = { domains: [site], source: '{platform}', medium: 'social' }

beforeAll(() => setRule(rule))
afterAll(() => setRule(null))

async function publish(connections: readonly string[], text: string): Promise<string> {
  const { uploadId } = await carillon.content.createText({ connections: [...connections], text })
  return uploadId
}

test('guarantee: one post has the name of each platform in its links there, and is stored as it was written', async () => {
  const words = uniqueText('tagged')
  const id = await publish([bluesky, mastodon, x], `${words} (${link}).`)
  const post = await waitUntilFinished(id)
  expect([post.status, post.text]).toEqual(['completed', `${words} (${link}).`])
  for (const platform of ['bluesky', 'mastodon', 'x']) {
    const sent = await findPlatformPosts(`${words} (${tagged(platform)}).`)
    expect(sent.map((each) => each.platform)).toEqual([platform])
  }
  expect(post.channels.map(({ links }) => links)).toEqual(['bluesky', 'mastodon', 'x'].map((each) => [tagged(each)]))
})

test('guarantee: a draft that is edited twice is tagged once, and validate names the link that is sent', async () => {
  const words = uniqueText('twice')
  const body = { connections: [mastodon], text: `${words} ${link}` }
  expect((await carillon.content.validate({ type: 'text', ...body })).connections).toMatchObject([
    { links: [tagged('mastodon')] },
  ])
  const { draftId: id } = await carillon.content.createText({ ...body, saveDraft: true })
  for (const title of ['One', 'Two']) {
    const { text } = await carillon.content.get(id)
    expect(text).toBe(body.text)
    await carillon.content.update(id, { text, title })
  }
  await carillon.content.publish(id)
  await waitUntilFinished(id)
  expect(await findPlatformPosts(`${words} ${tagged('mastodon')}`)).toHaveLength(1)
})

test('guarantee: a rule that changes after scheduling does not change the scheduled post', async () => {
  const words = uniqueText('fixed')
  const { uploadId: id } = await carillon.content.createText({
    connections: [mastodon],
    text: `${words} ${link}`,
    scheduledAt: timeAfter(dayMs),
  })
  try {
    await setRule({ ...rule, source: 'changed' })
    await carillon.content.publishNow(id)
    await waitUntilFinished(id)
  } finally {
    await setRule(rule)
  }
  expect(await findPlatformPosts(`${words} ${tagged('mastodon')}`)).toHaveLength(1)
})

test('guarantee: a row of an import is tagged as a create is', async () => {
  const words = uniqueText('row')
  const content = JSON.stringify({ connections: [mastodon], text: `${words} ${link}` })
  const made = await callData<Import>('POST /imports', { body: { format: 'jsonl', content, dryRun: false } })
  expect(made.rows.map(({ status }) => status)).toEqual(['created'])
  const [post] = (await carillon.content.list({ search: words })).data
  expect([post?.text, post?.channels.map(({ links }) => links)]).toEqual([`${words} ${link}`, [[tagged('mastodon')]]])
})

test('guarantee: a post whose answer was lost is found by its text, which has the parameters', { timeout: 120_000 }, async () => {
  const words = uniqueText('lost')
  const handle = (await carillon.workspaces.connections(testStack.workspaceId)).find(({ slug }) => slug === x)?.handle
  await callSimulator('POST', 'faults', { platform: 'x', handle, operation: 'submit', times: 1, fault: { kind: 'drop_after' } })
  const post = await waitUntilFinished(await publish([x], `${words} ${link}`), 90_000)
  expect(post.channels.map(({ result }) => result.status)).toEqual(['success'])
  expect(await findPlatformPosts(`${words} ${tagged('x')}`)).toHaveLength(1)
})

import type { Connection } from '@carillon/sdk'
import { test } from 'vitest'
import { callSimulator } from '../../test-stack.ts'
import { openDesk } from '../rig/desk.ts'
import { post, signInNewPerson, simulatedHandle } from '../rig/people.ts'
import { createPost, readApi } from '../rig/posts.ts'

test('guarantee: a post that waits for its account can be released from its page, and is sent by itself', async () => {
  const desk = await openDesk()
  const { page } = desk
  const person = await signInNewPerson(desk, { simulated: true })
  const { workspaceId } = person
  const handle = simulatedHandle(person)
  for (const kind of ['access', 'refresh']) await callSimulator('POST', 'tokens/expire', { platform: 'x', handle, kind })
  const id = await createPost(desk, { workspaceId, text: 'Evensong at six', platform: 'x' })
  await page.goto(`/w/${workspaceId}/posts/${id}`)
  const card = page.getByRole('article', { name: /, X$/ })
  await card.getByText('It is sent as soon as you have reconnected.').waitFor({ timeout: 60_000 })
  // It needs no second sending, and nothing says so.
  await card.getByRole('button', { name: 'Send again' }).waitFor({ state: 'detached' })
  await desk.checkBothThemes()
  await card.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByRole('combobox', { name: 'Account' }).fill(handle)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByRole('button', { name: `Connect ${handle}` }).click()
  await page.getByText('Connected', { exact: true }).first().waitFor()
  await page.goto(`/w/${workspaceId}/posts/${id}`)
  await card.getByRole('link', { name: 'Open on X' }).waitFor({ timeout: 60_000 })
})

test('guarantee: the page of a post shows the own text of an account, and what became of the first comment', async () => {
  const desk = await openDesk()
  const { page, context } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const connections = await readApi<Connection[]>(desk, `/workspaces/${workspaceId}/connections`, workspaceId)
  const slugOf = (wanted: string) => connections.find(({ platform }) => platform === wanted)?.slug ?? ''
  const body = {
    connections: [slugOf('mastodon'), slugOf('bluesky')],
    text: 'Evensong at six',
    firstComment: 'All are welcome',
    platformOptions: { [slugOf('mastodon')]: { text: 'Vespers at six' }, [slugOf('bluesky')]: { firstComment: null } },
  }
  await post(context, '/api/content/text', body, workspaceId)
  await page.goto(`/w/${workspaceId}/posts`)
  await page.getByRole('link', { name: /Evensong at six/ }).click()
  const mastodon = page.getByRole('article', { name: /Mastodon/ })
  await mastodon.getByText('Vespers at six').waitFor()
  // No reload: the stream says that the comment was posted.
  await mastodon.getByText('First comment posted').waitFor({ timeout: 60_000 })
  const bluesky = page.getByRole('article', { name: /Bluesky/ })
  await bluesky.getByRole('link', { name: 'Open on Bluesky' }).waitFor({ timeout: 60_000 })
  await bluesky.getByText('First comment posted').waitFor({ state: 'detached' })
  await desk.check()
})

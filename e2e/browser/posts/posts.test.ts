import type { Post } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { callSimulator } from '../../test-stack.ts'
import { chooseTime } from '../rig/choose-time.ts'
import { openDesk } from '../rig/desk.ts'
import { pressOn } from '../rig/keyboard.ts'
import { signInNewPerson, simulatedHandle } from '../rig/people.ts'
import { createPost, dayOfNextMonth, readApi } from '../rig/posts.ts'
import { insertSamplePosts } from '../rig/sample-posts.ts'

test('a failed channel says why, and is sent again by keyboard when the platform accepts it', async () => {
  const desk = await openDesk()
  const person = await signInNewPerson(desk, { simulated: true })
  const { workspaceId } = person
  const { page } = desk
  const fault = await callSimulator('POST', 'faults', {
    platform: 'mastodon',
    handle: simulatedHandle(person),
    operation: 'submit',
    fault: { kind: 'status', status: 422, body: { error: 'Validation failed: not welcome here' } },
  })
  const id = await createPost(desk, { workspaceId, text: 'Evensong at six' })
  await page.goto(`/w/${workspaceId}/posts/${id}`)
  const channel = page.getByRole('article', { name: /Mastodon/ })
  await channel.getByText('The platform refused the post').waitFor()
  await channel
    .getByText(/not welcome here/)
    .first()
    .waitFor()
  await desk.check()
  // It is in the navigation of every page, and leads to the post.
  await pressOn(page, page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: '1 failed' }))
  await pressOn(page, page.getByRole('link', { name: /Evensong at six/ }))
  await callSimulator('DELETE', `faults/${fault.id}`)
  await pressOn(page, channel.getByRole('button', { name: 'Send again' }))
  // No reload: the stream says that it was published.
  await channel.getByRole('link', { name: 'Open on Mastodon' }).waitFor({ timeout: 30_000 })
  await page.getByRole('region', { name: 'Needs attention' }).waitFor({ state: 'hidden' })
  await desk.check()
})

test('guarantee: in German, why a post failed is German too, and only the platform’s words are quoted as they are', async () => {
  const desk = await openDesk({ language: 'de' })
  const person = await signInNewPerson(desk, { simulated: true })
  const { workspaceId } = person
  await callSimulator('POST', 'faults', {
    platform: 'mastodon',
    handle: simulatedHandle(person),
    operation: 'submit',
    fault: { kind: 'status', status: 422, body: { error: 'Validation failed: not welcome here' } },
  })
  const id = await createPost(desk, { workspaceId, text: 'Vesper um sechs' })
  const { page } = desk
  await page.goto(`/w/${workspaceId}/posts/${id}`)
  const channel = page.getByRole('article', { name: /Mastodon/ })
  await channel.getByText('Mastodon hat das abgelehnt.').first().waitFor({ timeout: 60_000 })
  const quoted = 'Mastodon sagt: „Validation failed: not welcome here“'
  await channel.getByRole('listitem').getByText(quoted).waitFor()
  // Once as the reason and once in the timeline, and nothing else of it is English.
  const text = (await channel.innerText()).replaceAll(quoted, '')
  expect(text).not.toMatch(/\b(?:refused|the|post|not)\b/i)
  await desk.check()
})

test('guarantee: "Send again" in the card of one account sends to this account only', async () => {
  const desk = await openDesk()
  const person = await signInNewPerson(desk, { simulated: true })
  const { workspaceId } = person
  const { page } = desk
  const platforms = ['mastodon', 'bluesky']
  const faults = await Promise.all(
    platforms.map((platform) =>
      callSimulator('POST', 'faults', {
        platform,
        handle: simulatedHandle(person),
        operation: 'submit',
        fault: { kind: 'status', status: 422, body: { error: 'not welcome here' } },
      }),
    ),
  )
  const id = await createPost(desk, { workspaceId, text: 'Evensong at six', platforms })
  await page.goto(`/w/${workspaceId}/posts/${id}`)
  await page.getByRole('button', { name: 'Send again to 2 accounts' }).waitFor({ timeout: 60_000 })
  // The navigation counts posts, as the list that it leads to does.
  await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: '1 failed' }).waitFor()
  await Promise.all(faults.map((fault) => callSimulator('DELETE', `faults/${fault.id}`)))
  const one = page.getByRole('article', { name: /Mastodon/ })
  await one.getByRole('button', { name: 'Send again' }).click()
  await one.getByRole('link', { name: 'Open on Mastodon' }).waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Send again to 1 account' }).waitFor()
  // What a person may have to do comes first.
  const names = () => page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')))
  await expect.poll(names).toEqual([expect.stringMatching(/, Bluesky$/), expect.stringMatching(/, Mastodon$/)])
  const { channels } = await readApi<Post>(desk, `/content/${id}`, workspaceId)
  expect(channels.map(({ platform, result }) => [platform, result.status, result.attempts]).toSorted()).toEqual([
    ['bluesky', 'failed', 1],
    ['mastodon', 'success', 2],
  ])
})

test.each([{}, { phone: true, dark: true }])(
  'guarantee: a scheduled post is edited in two clicks and stays scheduled (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    const id = await createPost(desk, { workspaceId, text: 'Evensnog at six', wall: `${dayOfNextMonth(10)}T09:45` })
    const before = await readApi<Post>(desk, `/content/${id}`, workspaceId)
    const { page } = desk
    await page.goto(`/w/${workspaceId}/posts/${id}`)
    await page.getByRole('link', { name: 'Edit' }).click()
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.fill('Evensong at six')
    await page.getByText('Not saved. The scheduled post is unchanged').waitFor()
    // Nothing that is half written reaches the post.
    await page.waitForTimeout(2500)
    expect(await readApi<Post>(desk, `/content/${id}`, workspaceId)).toEqual(before)
    await desk.check()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForURL(`**/posts/${id}`)
    await page.getByRole('heading', { level: 1, name: 'Evensong at six' }).waitFor()
    const { status, scheduledAt, channels } = await readApi<Post>(desk, `/content/${id}`, workspaceId)
    expect([status, scheduledAt, channels.map((each) => each.id)]).toEqual([
      'scheduled',
      before.scheduledAt,
      before.channels.map((each) => each.id),
    ])
    await desk.check()
  },
)

test('of the tabs of the list, one is current', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page } = desk
  const current = page.getByRole('navigation', { name: 'Kinds of posts' }).locator('[aria-current="page"]')
  await page.goto(`/w/${workspaceId}/posts`)
  for (const name of ['Drafts', 'Archived', 'All']) {
    await page.getByRole('link', { name, exact: true }).click()
    await expect.poll(() => current.allInnerTexts()).toEqual([name])
  }
})

test('an unconfirmed channel asks whether it is there, and the answer by keyboard ends it', { timeout: 150_000 }, async () => {
  const desk = await openDesk({ dark: true })
  const person = await signInNewPerson(desk, { simulated: true })
  const { workspaceId } = person
  const { page } = desk
  const fault = await callSimulator('POST', 'faults', {
    platform: 'x',
    handle: simulatedHandle(person),
    operation: 'submit',
    times: 1,
    fault: { kind: 'drop_before' },
  })
  const id = await createPost(desk, { workspaceId, text: `Evensong ${workspaceId}`, platform: 'x' })
  await page.goto(`/w/${workspaceId}/posts/${id}`)
  const channel = page.getByRole('article').first()
  await channel.getByText('Is it there?').waitFor({ timeout: 120_000 })
  await callSimulator('DELETE', `faults/${fault.id}`).catch(() => {})
  expect(await channel.getByRole('link', { name: /Look on/ }).getAttribute('href')).toMatch(/^http/)
  await desk.check()
  await pressOn(page, channel.getByRole('button', { name: 'It is not' }))
  await channel.getByText('It was not published').first().waitFor()
  await channel.getByRole('button', { name: 'Send again' }).waitFor()
})

test('a scheduled post: reschedule, back to draft, duplicate, archive, delete', async () => {
  // The page of a post that was just deleted may ask for it once more, because the deletion is also reported to it.
  const desk = await openDesk({ expects: [404] })
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page } = desk
  const id = await createPost(desk, { workspaceId, text: 'Open tower day', wall: `${dayOfNextMonth(9)}T10:00` })
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await page.goto(`/w/${workspaceId}/posts/${id}`)
  await page.getByRole('button', { name: 'Reschedule' }).click()
  await chooseTime(page, { time: '11:30' })
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText(/Scheduled for .*11:30 Berlin/).waitFor()
  await choose('Back to draft')
  const edit = page.getByRole('link', { name: 'Edit' })
  await edit.waitFor()
  expect(await edit.getAttribute('href')).toContain(`draft=${id}`)
  await choose('Archive')
  await page.getByText('Archived', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await page.getByText('Taken out of the archive').waitFor()
  await choose('Delete…')
  await desk.check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()
  await page.getByText('No posts yet').waitFor()
})

test('guarantee: the way back from a post leads to the page that one came from, as it was', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page } = desk
  const day = dayOfNextMonth(9)
  const id = await createPost(desk, { workspaceId, text: 'Open tower day', wall: `${day}T10:00` })
  await page.goto(`/w/${workspaceId}/calendar?view=agenda&day=${day}`)
  const entry = page.getByRole('main').getByRole('link', { name: /Open tower day/ })
  await entry.waitFor()
  const left = page.url()
  await entry.click()
  await page.getByText('By Ada Ringer', { exact: true }).waitFor()
  const beside = page.url()
  await page.getByRole('link', { name: 'Open as page' }).click()
  await page.waitForURL(`**/posts/${id}`)
  await page.getByText('By Ada Ringer', { exact: true }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Calendar', exact: true }).click()
  await page.waitForURL(beside)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.waitForURL(left)
  // Without a page that one came from, it is the list.
  await page.goto(`/w/${workspaceId}/posts/${id}`)
  await page.getByRole('main').getByRole('link', { name: 'All posts' }).click()
  await page.waitForURL('**/posts')
})

test('guarantee: before a published post is deleted, it is said on which platforms it stays', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page } = desk
  await insertSamplePosts(workspaceId)
  const { data } = await readApi<{ data: Post[] }>(desk, '/content?status=completed&platform=instagram&limit=1', workspaceId)
  await page.goto(`/w/${workspaceId}/posts/${data[0]?.uploadId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('It stays on Instagram: there only you can delete it.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
  await desk.checkBothThemes()
})

test('a post whose text is a long address fits on a phone', async () => {
  const desk = await openDesk({ phone: true })
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const address = `https://example.com/${'evensong-'.repeat(12)}`
  const id = await createPost(desk, { workspaceId, text: address, wall: `${dayOfNextMonth(9)}T10:00` })
  await desk.page.goto(`/w/${workspaceId}/posts/${id}`)
  await desk.page.getByRole('button', { name: 'Reschedule' }).waitFor()
  await desk.check()
  await desk.page.goto(`/w/${workspaceId}/posts`)
  await desk.page.getByRole('link', { name: /example/ }).waitFor()
  await desk.check()
})

test.each([{ dark: false }, { phone: true, dark: true }])(
  'the list: search, drafts, and actions on many (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    const { page } = desk
    for (const text of ['First draft', 'Second draft', 'Third draft'])
      await createPost(desk, { workspaceId, text, saveDraft: true })
    await createPost(desk, { workspaceId, text: 'Evensong', wall: `${dayOfNextMonth(9)}T10:00` })
    await page.goto(`/w/${workspaceId}/posts`)
    await page.getByRole('link', { name: /Evensong/ }).waitFor()
    await desk.check()
    await page.getByRole('navigation', { name: 'Kinds of posts' }).getByRole('link', { name: 'Drafts' }).click()
    await page.getByRole('link', { name: /Evensong/ }).waitFor({ state: 'hidden' })
    await page.getByRole('checkbox', { name: 'Select First draft' }).click()
    await page.getByRole('checkbox', { name: 'Select Second draft' }).click()
    await desk.check()
    await page.getByRole('button', { name: 'Archive 2' }).click()
    await page.getByText('2 posts archived').waitFor()
    await page.getByRole('link', { name: /First draft/ }).waitFor({ state: 'hidden' })
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByRole('button', { name: 'Delete 1…' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No post matches').waitFor()
    await page.goto(`/w/${workspaceId}/posts?archived=true&search=Second`)
    await page.getByRole('link', { name: /Second draft/ }).waitFor()
    expect(await page.getByRole('listitem').count()).toBe(1)
  },
)

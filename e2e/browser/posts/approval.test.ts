import { expect, test } from 'vitest'
import { findPlatformPosts, uniqueText } from '../../test-stack.ts'
import { account, textField, waitUntilSaved } from '../compose/writing.ts'
import { openDesk } from '../rig/desk.ts'
import { inviteMember, signInNewPerson } from '../rig/people.ts'

test('guarantee: a post that needs approval goes out when another person has approved exactly it', async () => {
  const [owner, editor] = [await openDesk({ phone: true }), await openDesk()]
  const { workspaceId } = await signInNewPerson(owner, { simulated: true })
  await owner.page.goto(`/w/${workspaceId}/settings/workspace`)
  await owner.page.getByRole('radio', { name: 'Posts of programs and of editors' }).click()
  await owner.page.getByRole('button', { name: 'Save', exact: true }).click()
  await owner.page.getByText('Saved', { exact: true }).first().waitFor()
  await owner.checkBothThemes()
  await inviteMember(owner, editor, workspaceId)

  const first = uniqueText('The bells ring at ten')
  const { page } = editor
  await page.goto(`/w/${workspaceId}/compose`)
  await account(page, 'Mastodon').click()
  await textField(page).fill(first)
  await waitUntilSaved(page)
  expect(await page.getByRole('button', { name: 'Publish now' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Submit for approval' }).click()
  await page
    .getByText(/^Submitted by Grace Ringer/)
    .first()
    .waitFor()
  // Four eyes, and nothing that would be refused.
  for (const name of ['Approve', 'Publish now', 'Submit for approval'])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  await editor.checkBothThemes()

  await owner.page.goto(`/w/${workspaceId}/posts`)
  const tabs = owner.page.getByRole('navigation', { name: 'Kinds of posts' })
  await tabs.getByRole('link', { name: 'Waiting for approval' }).click()
  await owner.page.getByRole('link', { name: new RegExp(first) }).click()
  await owner.page.getByRole('button', { name: 'Ask for changes' }).click()
  const dialog = owner.page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Ask for changes' }).click()
  await dialog.getByText('Say what should change.').waitFor()
  await dialog.getByRole('textbox').fill('It is nine, not ten.')
  await dialog.getByRole('button', { name: 'Ask for changes' }).click()
  await owner.page.getByText('Changes wanted').first().waitFor()
  await owner.checkBothThemes()

  await page.getByText('It is nine, not ten.').first().waitFor()
  await page.getByRole('link', { name: 'Edit' }).click()
  const second = uniqueText('The bells ring at nine')
  await textField(page).fill(second)
  await waitUntilSaved(page)
  await page.getByRole('button', { name: 'Submit for approval' }).click()
  await page
    .getByText(/^Submitted by Grace Ringer/)
    .first()
    .waitFor()
  expect(await findPlatformPosts(second)).toEqual([])

  // Two presses from the link of the post: look, approve.
  await owner.page.goto(page.url())
  await owner.page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('link', { name: 'Open on Mastodon' }).waitFor()
  expect(await findPlatformPosts(second)).toHaveLength(1)
  expect(await findPlatformPosts(first)).toEqual([])
})

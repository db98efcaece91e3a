import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findPlatformPosts, uniqueText } from '../../test-stack.ts'
import { account, textField, waitUntilSaved } from '../compose/writing.ts'
import { type Desk, openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'

/** With CARILLON_SHOTS set, each screen is also kept as a picture for people to look at. */
async function keep({ page }: Desk, name: string): Promise<void> {
  const folder = process.env['CARILLON_SHOTS']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

test('guarantee: a client without an account approves on a phone with two presses, and the post goes out once', async () => {
  const owner = await openDesk()
  const { page } = owner
  const { workspaceId } = await signInNewPerson(owner, { simulated: true })
  const text = uniqueText('The bells ring at nine')
  await page.goto(`/w/${workspaceId}/compose`)
  await account(page, 'Mastodon').click()
  await textField(page).fill(text)
  await waitUntilSaved(page)
  await page.goto(`/w/${workspaceId}/posts`)
  await page.getByRole('link', { name: new RegExp(text) }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Share for approval' }).click()
  await page.getByLabel('For whom').fill('Grace Client')
  await owner.check()
  await keep(owner, 'share')
  await page.getByRole('button', { name: 'Make a link' }).click()
  const url = (await page.getByText(/\/approve\//).textContent()) ?? ''
  await owner.checkBothThemes()
  await keep(owner, 'made')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()

  const client = await openDesk({ phone: true })
  // The link is opened by the chat program; then these are the two presses.
  await client.page.goto(url)
  await client.page.getByText(text).waitFor()
  await client.check()
  await keep(client, 'client')
  await client.page.emulateMedia({ colorScheme: 'dark' })
  await client.check()
  await keep(client, 'client-dark')
  await client.page.getByRole('button', { name: 'Approve', exact: true }).click()
  await client.page.getByText(/Approved by Grace Client/).waitFor()
  await client.check()
  await keep(client, 'client-approved')

  await page.getByRole('link', { name: 'Open on Mastodon' }).waitFor()
  expect(await findPlatformPosts(text)).toHaveLength(1)
  await page.getByText(/Approved by Grace Client/).waitFor()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Well done, @Ada Ringer')
  await page.getByRole('button', { name: 'Comment' }).click()
  await page.getByText('Mentions Ada Ringer').waitFor()
  await owner.checkBothThemes()
  await keep(owner, 'discussion')
})

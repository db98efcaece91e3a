import { expect, test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'
import { account, textField } from './writing.ts'

test.each([
  { workspace: 'Terse tower', length: 290, left: '10', more: 'left on Mastodon' },
  { workspace: 'Roomy tower', length: 4990, left: '10', more: 'left on Mastodon' },
])('guarantee: the composer counts by the limits of the account ($workspace)', async ({ workspace, length, left, more }) => {
  const desk = await openDesk()
  const { page } = desk
  // The simulated accounts are named after the workspace, and their names say on which kind of server they are.
  const { workspaceId } = await signInNewPerson(desk, { simulated: true, workspace })
  await page.goto(`/w/${workspaceId}/compose`)
  await account(page, 'Mastodon').click()
  await textField(page).fill('a'.repeat(length))
  await expect.poll(() => page.locator('#compose-count').textContent(), { timeout: 15_000 }).toContain(`${left} ${more}`)
  await textField(page).fill('a'.repeat(length + 11))
  await page.getByText(/too many for Mastodon/).waitFor()
  await desk.check()
})

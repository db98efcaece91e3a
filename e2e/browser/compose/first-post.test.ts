import { expect, test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { emptyInstall, goodPassword, newEmail } from '../rig/people.ts'
import { account, textField } from './writing.ts'

test('guarantee: from an empty database to a published post in at most 8 clicks, with four fields to sign up', async () => {
  await emptyInstall()
  const desk = await openDesk()
  const { page } = desk
  let clicks = 0
  await page.exposeFunction('noteClick', () => clicks++)
  await page.addInitScript(() =>
    addEventListener(
      'click',
      ({ isTrusted }) => isTrusted && void Reflect.apply(Reflect.get(window, 'noteClick'), null, []),
      true,
    ),
  )
  const startedMs = performance.now()
  await page.goto('/')
  await page.getByLabel('Your name').fill('Ada Ringer')
  await page.getByLabel('E-mail address').fill(newEmail())
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByLabel('Workspace').fill('Bell Tower')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('button', { name: 'Try it with simulated accounts' }).click()
  await textField(page).waitFor()
  await account(page, 'Bluesky').click()
  await account(page, 'Mastodon').click()
  await textField(page).fill('Our first post')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.waitForURL(/\/posts\/\w+$/)
  expect(clicks).toBeLessThanOrEqual(8)
  expect(performance.now() - startedMs).toBeLessThan(120_000)
})

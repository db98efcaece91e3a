import { expect, test } from 'vitest'
import { makePdf } from '../../support/files.ts'
import { openDesk } from '../rig/desk.ts'
import { account, openComposer, textField } from './writing.ts'

/** The composer with these accounts chosen and this text, and its preview. */
async function openPreview(accounts: readonly string[], text: string) {
  const desk = await openDesk()
  const { page } = desk
  await openComposer(desk)
  for (const name of accounts) await account(page, name).click()
  await textField(page).fill(text)
  return { desk, page, preview: page.getByRole('region', { name: 'Preview' }) }
}

test('guarantee: every preview can be chosen, also while one account is written for', async () => {
  const { desk, page, preview } = await openPreview(['Mastodon', 'Bluesky'], 'The bells ring at nine')
  await page.getByRole('tab', { name: 'Mastodon' }).click()
  await preview.getByText('As Mastodon would show it').waitFor()
  await preview.getByRole('button', { name: 'Bluesky' }).click()
  await preview.getByText('As Bluesky would show it').waitFor()
  await page.getByRole('tab', { name: 'Bluesky', selected: true }).waitFor()
  await desk.checkBothThemes()
})

test('guarantee: a link is shown as the card that the platform makes of it, and nowhere else', async () => {
  const { desk, preview } = await openPreview(['Mastodon', 'Bluesky'], 'The bells ring at nine: https://example.com/tower?day=1')
  // Mastodon makes a card of a link in the text. Bluesky has a field for it, and shows none for a link in the text.
  await preview.getByText('example.com', { exact: true }).waitFor()
  await preview.getByText('/tower?day=1', { exact: true }).waitFor()
  await desk.checkBothThemes()
  await preview.getByRole('button', { name: 'Bluesky' }).click()
  await preview.getByText('As Bluesky would show it').waitFor()
  expect(await preview.getByText('example.com', { exact: true }).count()).toBe(0)
})

test('guarantee: a file that a platform does not take is named in its preview, and leaves no empty box', async () => {
  const { desk, page, preview } = await openPreview(['LinkedIn', 'Instagram'], 'The plan of the tower')
  const buffer = Buffer.from(makePdf())
  await page.locator('input[type="file"]').setInputFiles([{ name: 'plan.pdf', mimeType: 'application/pdf', buffer }])
  await preview.getByText('plan.pdf').first().waitFor()
  await preview.getByRole('button', { name: 'Instagram' }).click()
  await preview.getByText('Instagram does not take plan.pdf.').waitFor()
  await preview.getByText('The plan of the tower').waitFor()
  const { height } = (await preview.getByRole('figure').boundingBox()) ?? { height: 0 }
  expect(height).toBeLessThan(260)
  await desk.checkBothThemes()
})

import { expect, test } from 'vitest'
import { makePdf } from '../../support/files.ts'
import { servePage } from '../../support/serve-files.ts'
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

test('guarantee: the card of a link shows the title, the description and the picture of its page', async () => {
  using linked = await servePage()
  const { desk, page, preview } = await openPreview(['Bluesky', 'LinkedIn'], 'The bells ring at nine')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.locator('#compose-linkUrl').fill(linked.url)
  const card = preview.locator('[data-link-card=loaded]')
  await card.getByText('Bells', { exact: true }).waitFor()
  await card.getByText('On the hour.').waitFor()
  await card.getByText(new URL(linked.url).host, { exact: true }).waitFor()
  expect(await card.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400)
  await desk.checkBothThemes()
  // The other account asks for nothing again.
  await preview.getByRole('button', { name: 'LinkedIn' }).click()
  await preview.getByText('As LinkedIn would show it').waitFor()
  await card.getByText('On the hour.').waitFor()
  expect(linked.asked).toEqual(['/bells', '/picture.png'])
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

test('guarantee: a post made with AI says so where the platform has a label, and names those that have none', async () => {
  const { desk, page, preview } = await openPreview(['X', 'Bluesky'], 'The bells ring at nine')
  await page.getByRole('checkbox', { name: 'Made with AI' }).click()
  await page.getByText('except on Bluesky').waitFor()
  await preview.getByText('Labelled as made with AI').waitFor()
  await desk.checkBothThemes()
  await preview.getByRole('button', { name: 'Bluesky' }).click()
  await preview.getByText('As Bluesky would show it').waitFor()
  expect(await preview.getByText('Labelled as made with AI').count()).toBe(0)
  // An account may say otherwise for itself.
  await page.getByRole('tab', { name: 'X' }).click()
  const own = page.getByRole('checkbox', { name: 'Made with AI' })
  expect(await own.getAttribute('aria-checked')).toBe('true')
  await own.click()
  expect(await preview.getByText('Labelled as made with AI').count()).toBe(0)
})

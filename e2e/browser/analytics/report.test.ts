import { expect, test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'
import { collectFigures, publishOn } from './publish.fixture.ts'

test('guarantee: a report is made with the keyboard, read on a phone without an account, printed as A4, and ended', async () => {
  const desk = await openDesk()
  const { page, context } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const text = await publishOn(context, workspaceId, ['mastodon', 'threads'])
  await collectFigures(context, workspaceId)

  await page.goto(`/w/${workspaceId}/analytics`)
  await page.getByRole('button', { name: 'Report for a client' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Report for a client' })
  await dialog.getByRole('textbox', { name: /^Title/ }).focus()
  await page.keyboard.type('November at the tower')
  await desk.checkBothThemes()
  await page.keyboard.press('Enter')
  await dialog.getByText('“November at the tower” is ready').waitFor()
  await desk.checkBothThemes()
  const link = await dialog.getByRole('link', { name: /^Open/ }).getAttribute('href')

  const client = await openDesk({ phone: true, expects: [404] })
  await client.page.goto(new URL(link ?? '').pathname)
  await client.page.getByRole('heading', { level: 1, name: 'November at the tower' }).waitFor()
  await client.page.getByText(text).waitFor()
  await client.page.getByText('not reported for 1 post (Mastodon)').waitFor()
  await client.check()
  await client.page.emulateMedia({ colorScheme: 'dark' })
  await client.check()
  expect(await client.context.cookies()).toEqual([])

  const pdf = await client.page.pdf({ preferCSSPageSize: true })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  // A4 in points, upright.
  const [width = 0, height = 0] =
    /MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)/.exec(pdf.toString('latin1'))?.slice(1).map(Number) ?? []
  expect([Math.round(width), Math.round(height)]).toEqual([595, 842])

  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Report for a client' }).click()
  await dialog.getByRole('button', { name: 'End November at the tower' }).click()
  await page.getByText('The report was ended.').waitFor()
  await client.page.reload()
  await client.page.getByRole('heading', { name: 'This report cannot be read' }).waitFor()
  await client.check()
})

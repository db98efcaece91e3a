import { expect, test } from 'vitest'
import { openDesk, type Desk } from '../rig/desk.ts'
import { account, openComposer, textField } from './writing.ts'

const panel = ({ page }: Desk) => page.getByRole('region', { name: 'Suggestions' })

test.each([{ phone: false }, { phone: true, dark: true }])(
  'guarantee: suggested captions and hashtags are used for a platform or for all, and taken back (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page } = desk
    await openComposer(desk)
    await account(page, 'Bluesky').click()
    await account(page, 'Mastodon').click()
    await textField(page).fill('Our own words')
    await page.keyboard.press('Alt+i')
    await panel(desk).getByRole('button', { name: 'Suggest captions' }).click()
    const captions = panel(desk).getByRole('region', { name: 'Captions' })
    await captions.getByRole('listitem').nth(1).waitFor()
    await panel(desk).getByRole('button', { name: 'Suggest hashtags' }).click()
    await panel(desk).getByRole('checkbox', { name: '#bells' }).waitFor()
    await desk.check()

    await captions.getByRole('button', { name: 'Use on Mastodon' }).click()
    expect(await textField(page).inputValue()).toBe('Our own words')
    await page.getByRole('tab', { name: 'Mastodon differs' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('tab', { name: 'Mastodon differs' }).waitFor({ state: 'detached' })

    await captions.getByRole('checkbox', { name: 'Keep my text' }).click()
    await captions.getByRole('button', { name: 'Use for all' }).first().click()
    await expect.poll(() => textField(page).inputValue(), { timeout: 5000 }).toMatch(/^Our own words\n\nThe bells ring at nine/)
    await panel(desk).getByRole('checkbox', { name: '#bells' }).click()
    await panel(desk).getByRole('checkbox', { name: '#tower' }).click()
    await panel(desk).getByRole('button', { name: 'Add 2 hashtags' }).click()
    await expect.poll(() => textField(page).inputValue(), { timeout: 5000 }).toMatch(/\n\n#bells #tower$/)
    await panel(desk).getByRole('textbox').press('Escape')
    await panel(desk).waitFor({ state: 'detached' })
  },
)

test('guarantee: no model, no plan and a used-up allowance are said in a sentence, and the text stays', async () => {
  const desk = await openDesk({ expects: [403] })
  const { page } = desk
  await openComposer(desk)
  await account(page, 'Bluesky').click()
  await textField(page).fill('Our own words')
  const answer = (data: object) => ({ json: { success: true, data } })
  const open = page.getByRole('button', { name: 'Write with AI' })

  await page.route('**/api/ai/status', (route) => route.fulfill(answer({ available: false, model: '' })))
  await open.click()
  await panel(desk).getByText('No language model is set up here').waitFor()
  await desk.check()
  await page.unrouteAll()

  await page.route('**/api/ai/generate-content', (route) =>
    route.fulfill({
      status: 403,
      json: {
        success: false,
        error: { code: 'ai_budget_reached', message: 'Used up.', action: 'wait', docs: '', traceId: 'a1' },
      },
    }),
  )
  await page.reload()
  await open.click()
  await panel(desk).getByRole('button', { name: 'Suggest captions' }).click()
  await panel(desk).getByText('The AI allowance of this month is used up').waitFor()
  expect(await textField(page).inputValue()).toBe('Our own words')
})

import { test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'
import { collectFigures, publishOn } from './publish.fixture.ts'

test.each([{ dark: false }, { phone: true, dark: true }])(
  'guarantee: a figure that was not collected or that a platform does not tell is not shown as 0 (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page, context } = desk
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    await page.goto(`/w/${workspaceId}/analytics`)
    await page.getByText('No numbers yet').waitFor()
    await desk.check()

    const text = await publishOn(context, workspaceId, ['mastodon', 'threads'])
    await page.reload()
    await page.getByText('Not collected yet').first().waitFor()
    await desk.check()

    await collectFigures(context, workspaceId)
    await page.reload()
    await page.getByText('Not reported by Mastodon').first().waitFor()
    const rows = page.getByRole('region', { name: 'In detail' })
    const mastodon = rows.getByRole('row', { name: /^Mastodon/ })
    await mastodon.getByText('not reported').first().waitFor()
    await mastodon.getByRole('cell', { name: '7', exact: true }).waitFor()
    await rows
      .getByRole('row', { name: /^Threads/ })
      .getByRole('cell', { name: '900', exact: true })
      .waitFor()
    await rows
      .getByRole('row', { name: /^Threads/ })
      .getByRole('cell', { name: '1.33%', exact: true })
      .waitFor()
    await page.getByText('Mastodon: no impressions reported, so no rate').waitFor()
    await page.getByText('Without 1 publication that has no impressions').waitFor()
    await page.getByRole('link', { name: text }).waitFor()
    await page.locator('.recharts-bar-rectangle').first().waitFor()
    await page.getByText('The same as a table').click()
    await desk.check()

    const today = new Date().toISOString().slice(0, 10)
    await page.goto(`/w/${workspaceId}/analytics?days=own&from=2026-01-01&to=${today}&against=year`)
    await page.getByText(/^1 Jan 2026 – .*, compared with 1 Jan 2025 – /).waitFor()
    await page.getByRole('link', { name: text }).waitFor()
    await desk.check()
    await page.goto(`/w/${workspaceId}/analytics?days=own&from=2026-01-02&to=2026-01-01`)
    await page.getByText('The last day must not be before the first.').waitFor()
    await desk.check()
  },
)

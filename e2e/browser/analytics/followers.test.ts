import { test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'
import { holdFollowers, insertSampleFollowers } from '../rig/sample-followers.ts'

test.each([{ dark: false }, { phone: true, dark: true }])(
  'guarantee: followers that nobody told are not shown as 0 (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page } = desk
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    await holdFollowers(workspaceId)
    await page.goto(`/w/${workspaceId}/analytics`)
    const followers = page.getByRole('region', { name: 'Followers', exact: true })
    await followers.getByText('Collecting begins today').waitFor()
    await followers.getByText(/^The platform does not tell the number: .*\(X\)/).waitFor()
    await desk.check()

    await insertSampleFollowers(workspaceId, ['bluesky', 'mastodon'])
    await page.goto(`/w/${workspaceId}/analytics?days=28`)
    const card = followers.getByRole('article').filter({ hasText: 'Mastodon' })
    await card.getByText('2,000', { exact: true }).first().waitFor()
    // 27 days ago it was 2000 − 81 + 4.
    await card.getByText('+77 in this time').waitFor()
    await card.locator('.recharts-line-curve').waitFor()
    await followers.getByText(/^No number in this time: .*\(Threads\)/).waitFor()
    await card.getByText('All days as a table').focus()
    await page.keyboard.press('Enter')
    await card.getByRole('cell', { name: '–', exact: true }).waitFor()
    await desk.check()
  },
)

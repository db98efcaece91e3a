import { expect, test } from 'vitest'
import { openDesk, type Desk, type DeskOptions } from '../rig/desk.ts'
import { operatorEmail } from '../rig/operator-email.ts'
import { inviteMember, signInNewPerson } from '../rig/people.ts'

const title = 'Posts are not going out at the moment'

/** The stack of these tests sends posts for all of them, so the window alone is told that it does not. */
async function tellObstacle({ page }: Desk, obstacle: 'worker' | 'fence'): Promise<void> {
  await page.route('**/health/publishing', (route) => route.fulfill({ json: { success: true, data: { obstacle } } }))
}

async function openMember(
  role: 'viewer' | 'editor' | 'admin',
  options: DeskOptions = {},
): Promise<{ desk: Desk; address: string }> {
  const [owner, desk] = [await openDesk(), await openDesk(options)]
  const { workspaceId } = await signInNewPerson(owner)
  await inviteMember(owner, desk, workspaceId, role)
  return { desk, address: `/w/${workspaceId}/posts` }
}

test.each([{}, { phone: true, dark: true }])(
  'guarantee: owners and admins are told on every page that nothing is sent, and whom to tell (%o)',
  async (options) => {
    const { desk, address } = await openMember('admin', options)
    const { page } = desk
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByText(title).count()).toBe(0)
    await tellObstacle(desk, 'worker')
    await page.reload()
    const banner = page.getByRole('alert').filter({ hasText: title })
    await banner.getByText('the part that sends it does not run').waitFor()
    await banner.getByText('Tell the person who runs this Carillon.').waitFor()
    expect(await banner.getByRole('link').count()).toBe(0)
    await desk.check()
  },
)

test('guarantee: an operator is told what to do, and shown where it is seen', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { email: operatorEmail })
  await tellObstacle(desk, 'fence')
  await page.goto(`/w/${workspaceId}/calendar`)
  const banner = page.getByRole('alert').filter({ hasText: title })
  await banner.getByText('carillon fence status').waitFor()
  await desk.checkBothThemes()
  await banner.getByRole('link', { name: 'Show what is wrong' }).click()
  await page.waitForURL('**/settings/operator')
})

test.each(['viewer', 'editor'] as const)('a %s, who can do nothing about it, is not told', async (role) => {
  const { desk, address } = await openMember(role)
  await tellObstacle(desk, 'worker')
  await desk.page.goto(address)
  await desk.page.getByRole('heading', { level: 1 }).waitFor()
  await desk.page.waitForLoadState('networkidle')
  expect(await desk.page.getByText(title).count()).toBe(0)
})

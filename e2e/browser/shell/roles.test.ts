import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDesk, type DeskOptions } from '../rig/desk.ts'
import { inviteMember, signInNewPerson } from '../rig/people.ts'
import { createPost, dayOfNextMonth } from '../rig/posts.ts'

/** Guarantee: a viewer is offered nothing that would be refused at its end. */

const day = dayOfNextMonth(10)

async function openAsViewer(options: DeskOptions) {
  const [owner, desk] = [await openDesk(), await openDesk(options)]
  const { workspaceId } = await signInNewPerson(owner, { simulated: true })
  const id = await createPost(owner, { workspaceId, text: 'Evensong', wall: `${day}T09:45` })
  await inviteMember(owner, desk, workspaceId, 'viewer')
  await desk.page.goto(`/w/${workspaceId}/calendar?day=${day}`)
  await desk.page.getByRole('link', { name: /Evensong/ }).waitFor()
  return { desk, page: desk.page, workspaceId, id }
}

async function expectNoComposer(page: Page): Promise<void> {
  await page.keyboard.press('c')
  await page.keyboard.press('n')
  expect(await page.getByRole('link', { name: /New post|Write/ }).count()).toBe(0)
  expect(page.url()).toContain('/calendar')
}

test.each([{}, { phone: true }])('no link, key or address leads to the composer (%o)', async (options) => {
  const { desk, page, workspaceId } = await openAsViewer(options)
  await expectNoComposer(page)
  await desk.check()
  await page.goto(`/w/${workspaceId}/compose`)
  await page.getByText('You cannot write posts here').waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
  await desk.check()
})

test('neither the grid, nor the menu of a post, nor the search offers it', async () => {
  const { page, id } = await openAsViewer({})
  await page.getByText('Writing posts needs the role editor').waitFor()
  await page.locator(`[data-slot="${dayOfNextMonth(12)}"]`).click()
  await page.locator(`[data-entry="${id}"]`).hover()
  await page.locator(`[data-entry="${id}"]`).getByRole('button').click()
  await page.getByRole('menuitem', { name: /Open/ }).waitFor()
  expect(await page.getByRole('menuitem').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  expect(await page.getByRole('option', { name: 'New post' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await expectNoComposer(page)
})

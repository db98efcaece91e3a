import type { Page } from 'playwright-core'
import { origin, type Desk } from '../rig/desk.ts'
import { signInNewPerson, type TestPerson } from '../rig/people.ts'

/** A person with simulated accounts, in front of an empty composer. */
export async function openComposer(desk: Desk): Promise<TestPerson> {
  const person = await signInNewPerson(desk, { simulated: true })
  await desk.page.goto(`/w/${person.workspaceId}/compose`)
  await textField(desk.page).waitFor()
  return person
}

export function textField(page: Page) {
  return page.getByRole('textbox', { name: 'Text', exact: true })
}

export function account(page: Page, platform: string) {
  return page.getByRole('region', { name: 'Accounts' }).getByRole('button', { name: new RegExp(`^${platform}\\b`) })
}

export function waitUntilSaved(page: Page): Promise<void> {
  return page.locator('[data-save="saved"]').waitFor()
}

/** A picture can be cropped as soon as the server has opened it; until then the post cannot be published. */
export function waitUntilUploaded(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name: `Crop ${name}` }).waitFor()
}

/** An answer of the API, asked with the cookies of the window. */
export async function readApi<Data>(page: Page, path: string, workspaceId: string): Promise<Data> {
  const response = await page.context().request.get(`/api${path}`, { headers: { origin, 'x-workspace-id': workspaceId } })
  return ((await response.json()) as { data: Data }).data
}

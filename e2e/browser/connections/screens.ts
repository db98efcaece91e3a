import type { Page } from 'playwright-core'
import { callSimulator } from '../../test-stack.ts'
import { markNeedsReconnect, openIntegrations } from './integrations.fixture.ts'
import { post } from '../rig/people.ts'
import type { Screen } from '../rig/screen.ts'

export const screens: readonly Screen[] = [
  {
    name: 'integrations',
    async open(page, person) {
      await markNeedsReconnect(person.workspaceId, 'threads')
      await openIntegrations(page, person)
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'integrations-confirm',
    async open(page, person) {
      await goToConsent(page, person.workspaceId)
      await page.getByRole('button', { name: 'Authorize' }).click()
      await page.getByText('bell-tower').first().waitFor()
    },
  },
  {
    name: 'integrations-refused',
    async open(page, person) {
      await goToConsent(page, person.workspaceId)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'integrations-password',
    async open(page, person) {
      await callSimulator('POST', 'accounts', { platform: 'bluesky', handle: 'bell-tower' })
      await openIntegrations(page, person)
      await page.getByRole('button', { name: /(Connect|Verbinden) Bluesky/ }).click()
      await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    },
  },
  {
    name: 'integrations-bot',
    async open(page, person) {
      await openIntegrations(page, person)
      await page.getByRole('button', { name: /(Connect|Verbinden) Telegram/ }).click()
      await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    },
  },
  {
    name: 'integrations-setup',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/integrations/setup`)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
    },
  },
  {
    name: 'api-key-create',
    async open(page, person) {
      await openIntegrations(page, person)
      await page.getByRole('button', { name: /Create a key|Schlüssel anlegen/ }).click()
      await page.getByRole('radio').last().click()
      await page.getByRole('dialog').getByRole('checkbox').last().waitFor()
    },
  },
  {
    name: 'api-key-limits',
    async open(page, person) {
      await openIntegrations(page, person)
      await page.getByRole('button', { name: /Create a key|Schlüssel anlegen/ }).click()
      const dialog = page.getByRole('dialog')
      for (const name of [
        /certain accounts|bestimmte Konten/,
        /so many posts|so viele Beiträge/,
        /certain hours|bestimmten Stunden/,
      ])
        await dialog.getByRole('checkbox', { name }).click()
      await dialog.getByRole('checkbox', { name: /Mastodon/ }).click()
      await dialog.getByRole('combobox').last().scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'connect-links',
    async open(page, person) {
      await makeLink(page, person.workspaceId, { externalId: 'customer-4711', expiresInDays: 14 })
      await makeLink(page, person.workspaceId, { platforms: ['mastodon'] })
      await openIntegrations(page, person)
      await page.getByText('customer-4711').scrollIntoViewIfNeeded()
      await page.getByText(/Where links may send people|Wohin Links danach/).click()
    },
  },
  {
    name: 'connect-link-new',
    async open(page, person) {
      await openIntegrations(page, person)
      await page.getByRole('button', { name: /Make a link|Link erstellen/ }).click()
      await page.getByRole('dialog').getByRole('checkbox').first().waitFor()
    },
  },
  {
    name: 'connect-link-open',
    async open(page, person) {
      await page.goto(await makeLink(page, person.workspaceId, {}))
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  },
  {
    name: 'connect-link-platform',
    async open(page, person) {
      await page.goto(await makeLink(page, person.workspaceId, { platforms: ['bluesky'] }))
      await page.getByRole('button').waitFor()
    },
  },
  {
    name: 'connect-link-confirm',
    async open(page, person) {
      await page.goto(await makeLink(page, person.workspaceId, { platforms: ['linkedin'] }))
      await page.getByRole('button').click()
      await page.getByRole('combobox', { name: 'Account' }).fill('bell-customer')
      await page.getByRole('button', { name: 'Authorize' }).click()
      await page.getByText('@bell-customer').first().waitFor()
    },
  },
  {
    name: 'api-keys',
    async open(page, person) {
      const connections = await page.request.get(`/api/workspaces/${person.workspaceId}/connections`)
      const { data } = (await connections.json()) as { data: { slug: string }[] }
      const limits = {
        connections: data.slice(0, 2).map(({ slug }) => slug),
        postsPerDay: 5,
        hours: { from: '08:00', to: '18:00' },
        onDuplicate: 'refuse',
      }
      const make = (body: object) =>
        post(page.context(), `/api/workspaces/${person.workspaceId}/api-keys`, { workspaceOnly: true, ...body })
      await make({ label: 'Newsletter agent', scopes: ['content:write', 'media:write'], limits })
      await make({ label: 'Writer', scopes: ['content:draft'] })
      await openIntegrations(page, person)
      await page.getByRole('heading', { name: 'Newsletter agent' }).scrollIntoViewIfNeeded()
    },
  },
]

async function makeLink(page: Page, workspaceId: string, body: object): Promise<string> {
  const made = await post(
    page.context(),
    '/api/connect-links',
    { platforms: ['x', 'instagram', 'bluesky'], ...body },
    workspaceId,
  )
  return (made.data as { url: string }).url
}

async function goToConsent(page: Page, workspaceId: string): Promise<void> {
  await page.goto(`/w/${workspaceId}/integrations`)
  await page.getByRole('button', { name: /(Connect|Verbinden) LinkedIn/ }).click()
  await page.getByRole('combobox', { name: 'Account' }).fill('bell-tower')
}

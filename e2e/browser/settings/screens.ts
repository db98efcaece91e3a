import { queryDatabase } from '../../support/query-database.ts'
import { post } from '../rig/people.ts'
import { insertSends } from '../rig/sample-posts.ts'
import type { Screen } from '../rig/screen.ts'

const sections = ['workspace', 'members', 'webhooks', 'audit', 'profile', 'notices', 'security', 'my-webhooks']

const sectionScreens: readonly Screen[] = sections.map((section) => ({
  name: `settings-${section}`,
  async open(page, { workspaceId }) {
    await page.goto(`/w/${workspaceId}/settings/${section}`)
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    // The section and its data are loaded after the page.
    await page.locator('main output').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
  },
}))

export const screens: readonly Screen[] = [
  ...sectionScreens,
  {
    name: 'settings-queue',
    async open(page, { workspaceId }) {
      const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
      const slots = [
        ...days.map((day) => ({ day, time: '09:00' })),
        ...days.slice(1, 4).map((day) => ({ day, time: '12:30' })),
        { day: 'sunday', time: '18:00' },
      ]
      await post(page.context(), '/api/queues', { name: 'Main', slots }, workspaceId)
      await page.goto(`/w/${workspaceId}/settings/queue`)
      await page.getByRole('listitem').locator('time').first().waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'settings-plan',
    async open(page, { workspaceId }) {
      await queryDatabase(`update workspace set plan = 'free' where id = $1`, [workspaceId])
      await page.goto(`/w/${workspaceId}/settings/plan`)
      await page.getByRole('radio').first().waitFor()
    },
  },
  {
    name: 'settings-webhook',
    async open(page, { workspaceId }) {
      const events = ['upload.completed', 'upload.failed']
      const url = 'https://hooks.example.com/carillon'
      const { data } = await post(page.context(), '/api/webhooks', { url, events }, workspaceId)
      await page.goto(`/w/${workspaceId}/settings/webhooks?webhook=${(data as { id: string }).id}`)
      await page.getByRole('heading', { level: 3 }).nth(1).waitFor()
    },
  },
  {
    name: 'settings-my-webhook',
    async open(page, { workspaceId }) {
      const events = ['upload.completed', 'upload.failed']
      const url = 'https://hooks.example.com/carillon'
      const { data } = await post(page.context(), '/api/account/webhooks', { url, events })
      await page.goto(`/w/${workspaceId}/settings/my-webhooks?webhook=${(data as { id: string }).id}`)
      await page.getByRole('heading', { level: 3 }).nth(2).waitFor()
      await page.locator('main output').first().waitFor({ state: 'detached' })
    },
  },
  {
    name: 'settings-operator',
    isOperator: true,
    async open(page, { workspaceId }) {
      await insertSends(workspaceId, 600)
      await page.goto(`/w/${workspaceId}/settings/operator`)
      await page.locator('.recharts-bar-rectangle').first().waitFor()
    },
  },
  {
    name: 'settings-platforms',
    isOperator: true,
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/settings/platforms`)
      await page.getByRole('link', { name: 'Bluesky' }).waitFor()
    },
  },
  {
    name: 'settings-platform',
    isOperator: true,
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/settings/platforms?platform=linkedin`)
      await page.getByRole('textbox', { name: 'Client ID' }).waitFor()
    },
  },
  {
    name: 'settings-platform-form',
    isOperator: true,
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/settings/platforms?platform=instagram`)
      const id = page.getByRole('textbox', { name: 'Instagram app ID' })
      await id.fill('12345x')
      await page.getByLabel('Instagram app secret', { exact: true }).fill('short')
      await id.evaluate((element) => element.scrollIntoView({ block: 'start' }))
    },
  },
]

import { makePng } from '../../support/png.ts'
import { origin } from '../rig/desk.ts'
import { drawPictures } from '../rig/draw-pictures.ts'
import { post } from '../rig/people.ts'
import { insertSamplePosts } from '../rig/sample-posts.ts'
import type { Screen } from '../rig/screen.ts'

const text =
  'The new bell is in the tower. It was cast in March, weighs 1.2 tonnes and is tuned to D. Come and hear it on Saturday at nine: https://example.com/tower #carillon'

async function openWhen(...[page, { workspaceId }]: Parameters<Screen['open']>): Promise<void> {
  await page.goto(`/w/${workspaceId}/compose`)
  await page.locator('#compose-text').fill(text)
  await page.getByRole('radio').nth(1).click()
  await page.locator('[data-day-field]').scrollIntoViewIfNeeded()
  await page.locator('[data-save="saved"]').waitFor()
}

export const screens: readonly Screen[] = [
  {
    name: 'compose',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'compose-written',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(text)
      for (const at of [0, 1, 2, 3]) await page.locator('#compose-accounts button[aria-pressed]').nth(at).click()
      await page.locator('input[type="file"]').setInputFiles(await drawPictures(page.context()))
      await page.getByRole('radio').nth(1).click()
      await page.locator('#compose-files progress').first().waitFor({ state: 'detached' })
      await page.locator('[data-save="saved"]').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'compose-queue',
    async open(page, { workspaceId }) {
      const slots = [{ day: 'tuesday', time: '09:00' }]
      for (const name of ['Main', 'Weekend']) await post(page.context(), '/api/queues', { name, slots }, workspaceId)
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(text)
      await page.locator('#compose-accounts button[aria-pressed]').first().click()
      await page.getByRole('radio').nth(1).click()
      await page.locator('[data-save="saved"]').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'compose-thread',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(text)
      for (const at of [0, 1, 2, 3]) await page.locator('#compose-accounts button[aria-pressed]').nth(at).click()
      for (const [index, more] of ['It took four people and a crane.', 'The old one stands in the garden now.'].entries()) {
        await page.locator('#compose-thread > div:last-child button').first().click()
        await page.locator(`#compose-thread-${index}`).fill(more)
      }
      await page.locator('[data-save="saved"]').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'compose-ai',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(text)
      for (const at of [0, 1, 2, 3]) await page.locator('#compose-accounts button[aria-pressed]').nth(at).click()
      const label = page.getByRole('checkbox').last()
      await label.click()
      await label.scrollIntoViewIfNeeded()
      await page.locator('[data-save="saved"]').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'compose-creator',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(text)
      await page.locator('#compose-accounts').getByRole('button', { name: 'TikTok' }).click()
      await page.locator('input[type="file"]').setInputFiles(await drawPictures(page.context()))
      await page.locator('#compose-files progress').first().waitFor({ state: 'detached' })
      await page.getByRole('tab').nth(1).click()
      await page.locator('[data-creator]').waitFor()
      await page.getByRole('switch').click()
      await page.getByRole('switch').locator('xpath=../..').getByRole('checkbox').last().click()
      await page.locator('[data-save="saved"]').waitFor()
      await page.waitForLoadState('networkidle')
      await page.locator('[data-creator]').evaluate((part) => part.scrollIntoView({ block: 'start' }))
    },
  },
  {
    name: 'compose-day',
    async open(page, person) {
      await insertSamplePosts(person.workspaceId)
      await openWhen(page, person)
      // On a phone, it is the picker of the system.
      const button = page.locator('#compose-when button[aria-haspopup="dialog"]')
      if (await button.isVisible()) await button.click()
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'compose-zone',
    async open(page, person) {
      await openWhen(page, person)
      await page.locator('#compose-when input[role="combobox"]').last().click()
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'compose-time',
    async open(page, person) {
      await openWhen(page, person)
      await page.locator('#compose-when input[role="combobox"]').last().click()
      await page.keyboard.type('tok')
      await page.keyboard.press('Enter')
      await page.locator('[data-day-field]').fill('2030-03-06')
      await page.locator('#compose-when input[role="combobox"]').first().click()
    },
  },
  {
    name: 'compose-message',
    async open(page, person) {
      await openWhen(page, person)
      await page.keyboard.press('Control+s')
      await page.getByRole('region', { name: 'Notifications' }).getByRole('dialog').waitFor()
    },
  },
  {
    name: 'compose-refused',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(`${text} `.repeat(4))
      for (const at of [0, 1, 6]) await page.locator('#compose-accounts button[aria-pressed]').nth(at).click()
      await page.getByRole('tab').nth(3).click()
      await page.keyboard.press('Control+Enter')
      await page.getByRole('alert').first().waitFor()
      await page.locator('[data-save="saved"]').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'compose-suggestions',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(text)
      for (const at of [0, 2]) await page.locator('#compose-accounts button[aria-pressed]').nth(at).click()
      await page.locator('#compose-ai').click()
      const panel = page.locator('section:has(> div svg.lucide-x)')
      await panel.locator('button:has(svg.lucide-pen-line)').click()
      await panel.getByRole('listitem').nth(1).waitFor()
      await panel.locator('button:has(svg.lucide-hash)').click()
      await panel.getByRole('checkbox', { name: '#bells' }).click()
      await page.locator('#compose-ai').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'compose-conflict',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(text)
      await page.locator('[data-save="saved"]').waitFor()
      const id = new URL(page.url()).searchParams.get('draft') ?? ''
      await page.context().request.patch(`/api/content/${id}`, {
        data: { text: 'The new bell is in the tower. Come and hear it on Sunday at ten.' },
        headers: { origin, 'x-workspace-id': workspaceId },
      })
      await page.locator('#compose-text').fill(`${text} Free entry.`)
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'compose-crop',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(text)
      for (const at of [0, 1, 2]) await page.locator('#compose-accounts button[aria-pressed]').nth(at).click()
      await page
        .locator('input[type="file"]')
        .setInputFiles([{ name: 'wide.png', mimeType: 'image/png', buffer: Buffer.from(makePng(3, 1600, 500)) }])
      await page.locator('[data-save="saved"]').waitFor()
      await page.locator('#compose-files button:has(svg.lucide-crop)').click()
      await page.getByRole('slider').first().waitFor()
    },
  },
  {
    name: 'compose-own-files',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(text)
      for (const at of [0, 1, 2]) await page.locator('#compose-accounts button[aria-pressed]').nth(at).click()
      const photo = (name: string, width: number) => ({
        name,
        mimeType: 'image/png',
        buffer: Buffer.from(makePng(3, width, 500)),
      })
      await page.locator('input[type="file"]').setInputFiles([photo('wide.png', 1600)])
      await page.locator('[data-save="saved"]').waitFor()
      await page.getByRole('tab').nth(2).click()
      await page.locator('input[type="file"]').setInputFiles([photo('square.png', 500)])
      await page.locator('#compose-files li').nth(1).waitFor()
      await page.locator('#compose-files progress').first().waitFor({ state: 'detached' })
      await page.locator('[data-save="saved"]').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
]

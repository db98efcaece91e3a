import { emptyInstall } from '../rig/people.ts'
import type { Screen } from '../rig/screen.ts'

export const screens: readonly Screen[] = [
  ...(['privacy', 'terms', 'data-deletion'] as const).map((name): Screen => ({
    name: `legal-${name}`,
    isSignedOut: true,
    async open(page) {
      await page.goto('/sign-in')
      await page.locator(`a[href^="/legal/${name}"]`).click()
      await page.locator('h1').waitFor()
    },
  })),
  {
    name: 'sign-in-refused',
    isSignedOut: true,
    async open(page) {
      await page.goto('/sign-in')
      await page.locator('input[name=email]').fill('ada@example.com')
      await page.locator('input[name=password]').fill('not my password')
      await page.locator('form button[type=submit]').click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'sign-up',
    isSignedOut: true,
    async open(page) {
      await page.goto('/sign-up')
      await page.locator('input[name=password]').waitFor()
    },
  },
  {
    name: 'sign-up-missing',
    isSignedOut: true,
    async open(page) {
      await page.goto('/sign-up')
      await page.locator('input[name=email]').fill('ada')
      await page.locator('form button[type=submit]').click()
      await page.locator('[aria-invalid="true"]').first().waitFor()
    },
  },
  {
    name: 'forgot',
    isSignedOut: true,
    async open(page) {
      await page.goto('/forgot')
      await page.locator('input[name=email]').fill('ada@example.com')
    },
  },
  {
    name: 'join-ended',
    isSignedOut: true,
    async open(page) {
      await page.goto('/join?token=used')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'mail-sent',
    isSignedOut: true,
    async open(page) {
      await page.goto('/forgot')
      await page.locator('input[name=email]').fill('ada@example.com')
      await page.locator('form button[type=submit]').click()
      await page.locator('input[name=email]').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'new-workspace',
    async open(page) {
      await page.goto('/new-workspace')
      await page.locator('form').waitFor()
    },
  },
  {
    name: 'start',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/start`)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
    },
  },
  {
    name: 'welcome',
    isSignedOut: true,
    emptiesInstall: true,
    async open(page) {
      await emptyInstall()
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  },
]

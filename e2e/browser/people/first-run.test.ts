import { platforms } from '@carillon/contract'
import { expect, test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { emptyInstall, goodPassword, newEmail } from '../rig/people.ts'

test.each([{ phone: false }, { phone: true }])(
  'guarantee: an empty install is ready for a first post after four fields (%o)',
  async (options) => {
    await emptyInstall()
    const desk = await openDesk(options)
    const { page } = desk
    await page.goto('/')
    await page.getByRole('heading', { name: 'Welcome to Carillon' }).waitFor()
    await desk.check()

    await page.getByLabel('Your name').fill('Ada Ringer')
    await page.getByLabel('E-mail address').fill(newEmail())
    await page.getByLabel('Password', { exact: true }).fill(goodPassword)
    await page.getByLabel('Workspace').fill('Bell Tower')
    await page.getByRole('button', { name: 'Create the account' }).click()

    await page.getByRole('heading', { name: 'Bell Tower is ready' }).waitFor()
    await desk.check()
    await page.getByRole('button', { name: 'Try it with simulated accounts' }).click()
    await page.waitForURL(/\/w\/\w+\/compose$/)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const workspaceId = /\/w\/(\w+)\//.exec(page.url())?.[1] ?? ''
    const answer = await page.context().request.get(`/api/workspaces/${workspaceId}/connections`)
    expect(((await answer.json()) as { data: unknown[] }).data.length).toBeGreaterThanOrEqual(platforms.length)
  },
)

test('a password that is easy to guess is refused at its field, and everything that was typed stays', async () => {
  await emptyInstall()
  const desk = await openDesk({ expects: [422] })
  const { page } = desk
  await page.goto('/welcome')
  await page.getByLabel('Your name').fill('Ada Ringer')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('password123')
  await page.getByLabel('Workspace').fill('Bell Tower')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByText('This password is too common').waitFor()
  expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Ringer')
  await desk.check()
})

test('once there is an account, the first page is signing in', async () => {
  await emptyInstall()
  const first = await openDesk()
  await first.page.goto('/welcome')
  const late = await openDesk({ expects: [409] })
  await late.page.goto('/welcome')
  for (const { page } of [first, late]) {
    await page.getByLabel('Your name').fill('Ada Ringer')
    await page.getByLabel('E-mail address').fill(newEmail())
    await page.getByLabel('Password', { exact: true }).fill(goodPassword)
    await page.getByLabel('Workspace').fill('Bell Tower')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByText(page === first.page ? 'is ready' : 'This install has an account already').waitFor()
  }
  await late.page.goto('/')
  await late.page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

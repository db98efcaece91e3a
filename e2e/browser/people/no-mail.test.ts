import { runCarillon } from '@carillon/stack/services'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSecondServer, type SecondServer } from '../../support/second-server.ts'
import { serverEnv } from '../../support/server-env.ts'
import { openDesk } from '../rig/desk.ts'
import { goodPassword, newEmail, signInNewPerson } from '../rig/people.ts'

/** Guarantee: on an installation that sends no mail, people join and come back, and no page says that a mail was sent. */

// All browser tests ask from one address, which is limited like any other.
const noMail = { CARILLON_SMTP_URL: '', CARILLON_MAIL_FROM: '', CARILLON_ACCOUNT_MAILS_PER_HOUR: '100000' }
let server: SecondServer
let origin: string
beforeAll(async () => {
  server = await startSecondServer((address) => ({ CARILLON_PUBLIC_URL: address, ...noMail }))
  origin = server.baseUrl.replace(/\/api$/, '')
}, 120_000)
afterAll(() => server.stop())

async function signInThere({ request }: BrowserContext, email: string): Promise<void> {
  const answer = await request.post(`${origin}/auth/sign-in/email`, {
    data: { email, password: goodPassword },
    headers: { origin },
  })
  expect(answer.status()).toBe(200)
}

test('the inviter copies the link of an invitation, and the invited person joins with it', async () => {
  const desk = await openDesk()
  const { page, context } = desk
  const { email: owner, workspaceId, workspace } = await signInNewPerson(desk)
  await signInThere(context, owner)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  await page.goto(`${origin}/w/${workspaceId}/settings/members`)
  const email = newEmail()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const row = page.getByRole('list', { name: 'Invitations' }).getByRole('listitem').filter({ hasText: email })
  await row.getByRole('button', { name: 'Copy link' }).click()
  await row.getByRole('button', { name: 'Copied' }).waitFor()
  await desk.checkBothThemes()
  const link = await page.evaluate(() => navigator.clipboard.readText())

  const guest = await openDesk({ phone: true })
  await guest.page.goto(link)
  await guest.page.getByRole('heading', { name: `Join ${workspace}` }).waitFor()
  await guest.page.getByLabel('Your name').fill('Grace Ringer')
  await guest.page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await guest.page.getByRole('button', { name: 'Join' }).click()
  await guest.page.waitForURL(`**/w/${workspaceId}/calendar`)
})

test('a new address: the page names the command, which changes it', async () => {
  const desk = await openDesk()
  const { page, context } = desk
  const { email, workspaceId } = await signInNewPerson(desk)
  await signInThere(context, email)
  await page.goto(`${origin}/w/${workspaceId}/settings/profile`)
  const command = page.getByText(`carillon change-address ${email} --to`)
  await command.waitFor()
  await desk.checkBothThemes()
  const wanted = newEmail()
  const words = (await command.innerText()).replace('NEW-ADDRESS', wanted).split(' ').slice(1)
  await runCarillon([...words, '--json'], { env: { ...serverEnv(), CARILLON_PUBLIC_URL: origin, ...noMail } })
  await signInThere(context, wanted)
})

test('a forgotten password: the page names the command, and its link lets the person in', async () => {
  const desk = await openDesk()
  const { page, context } = desk
  const { email } = await signInNewPerson(desk)
  await context.clearCookies()
  await page.goto(`${origin}/forgot`)
  await page.getByText('This server sends no mail').waitFor()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Ask for a link' }).click()
  await page.getByRole('heading', { name: 'This server sends no mail' }).waitFor()
  const command = page.getByText(`carillon sign-in-link ${email}`)
  await command.waitFor()
  expect(await page.getByText('We have sent').count()).toBe(0)
  await desk.checkBothThemes()

  const words = (await command.innerText()).split(' ').slice(1)
  const made = await runCarillon([...words, '--json'], { env: { ...serverEnv(), CARILLON_PUBLIC_URL: origin, ...noMail } })
  await page.goto((made as { link: string }).link)
  await page.getByLabel('New password').fill('nine bells at dawn')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByRole('heading', { name: 'Password set' }).waitFor()
})

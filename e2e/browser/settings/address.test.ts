import { expect, test } from 'vitest'
import { findAppLink, waitForMail } from '../../support/mailbox.ts'
import { openDesk } from '../rig/desk.ts'
import { goodPassword, newEmail, signInNewPerson } from '../rig/people.ts'

test.each([{ dark: false }, { phone: true, dark: true }])(
  'guarantee: a person changes their address with their password and the link that is mailed to the new one (%o)',
  async (options) => {
    const desk = await openDesk({ ...options, expects: [400, 403] })
    const { page } = desk
    const { workspaceId, email } = await signInNewPerson(desk)
    const wanted = newEmail()
    await page.goto(`/w/${workspaceId}/settings/profile`)
    await page.getByText(`You sign in with ${email}`).waitFor()
    await desk.check()
    await page.getByLabel('New address').fill(wanted)
    await page.getByLabel('Your password').fill('not my password')
    await page.getByRole('button', { name: 'Change the address' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Your password').fill(goodPassword)
    await page.getByRole('button', { name: 'Change the address' }).click()
    await page.getByText(`A link is on its way to ${wanted}`).waitFor()

    const link = findAppLink(await waitForMail(wanted, 'Confirm your new address'))
    await page.goto(link)
    await page.getByText(`You are signed in as ${email}`).waitFor()
    await desk.check()
    await page.getByRole('button', { name: 'Use the new address' }).click()
    await page.getByText(`You sign in with ${wanted} from now on`).waitFor()
    await page.goto(link)
    await page.getByRole('button', { name: 'Use the new address' }).click()
    await page.getByText('This link does not work').waitFor()
    await desk.check()
    const answer = await desk.context.request.get('/api/me')
    expect(await answer.json()).toMatchObject({ data: { email: wanted } })
  },
)

test('the link of a new address leads a person who is signed out to the page for signing in, and back', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { email } = await signInNewPerson(desk)
  await desk.context.clearCookies()
  await page.goto('/address?token=some.link')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Use the new address' }).waitFor()
})

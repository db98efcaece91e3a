import { expect, test } from 'vitest'
import { findAppLink, waitForMail } from '../../support/mailbox.ts'
import { openDesk } from '../rig/desk.ts'
import { goodPassword, newEmail, post, signInNewPerson } from '../rig/people.ts'

test('guarantee: an invited person without an account chooses a password and is in the workspace', async () => {
  const owner = await openDesk()
  const { workspaceId, workspace } = await signInNewPerson(owner)
  const email = newEmail()
  await post(owner.context, `/api/workspaces/${workspaceId}/invitations`, { email, role: 'editor' })
  const link = findAppLink(await waitForMail(email, workspace))

  const desk = await openDesk({ phone: true })
  const { page } = desk
  await page.goto(link)
  await page.getByRole('heading', { name: `Join ${workspace}` }).waitFor()
  await desk.check()
  await page.getByLabel('Your name').fill('Grace Ringer')
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.waitForURL(`**/w/${workspaceId}/calendar`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const answer = await page.context().request.get(`/api/workspaces/${workspaceId}`)
  expect(await answer.json()).toMatchObject({ data: { role: 'editor' } })
})

test('an invited person with an account joins and signs in as before', async () => {
  const owner = await openDesk()
  const { workspaceId, workspace } = await signInNewPerson(owner)
  const desk = await openDesk()
  const { email } = await signInNewPerson(desk)
  await post(owner.context, `/api/workspaces/${workspaceId}/invitations`, { email, role: 'viewer' })
  await desk.context.clearCookies()
  const { page } = desk
  await page.goto(findAppLink(await waitForMail(email, workspace)))
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`**/w/${workspaceId}/calendar`)
})

test('an invitation that was used says so', async () => {
  const desk = await openDesk({ expects: [404] })
  await desk.page.goto('/join?token=guess')
  await desk.page.getByText('This invitation does not exist').waitFor()
  await desk.check()
})

test('guarantee: a forgotten password is set anew with the link of the mail, which works once', async () => {
  const desk = await openDesk({ expects: [400] })
  const { email } = await signInNewPerson(desk)
  await desk.context.clearCookies()
  const { page } = desk
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgotten?' }).click()
  // The page before it has a field with the same label.
  await page.getByRole('button', { name: 'Send the link' }).waitFor()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
  await desk.check()

  const link = findAppLink(await waitForMail(email, 'Set your password'))
  await page.goto(link)
  await page.getByLabel('New password').fill('nine bells at dawn')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByRole('heading', { name: 'Password set' }).waitFor()
  await desk.check()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('nine bells at dawn')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/calendar')

  await page.goto(link)
  await page.getByLabel('New password').fill('ten bells at noon')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('This link was used or has run out').waitFor()
})

test('a new account is confirmed with the link of the mail', async () => {
  const email = newEmail()
  const desk = await openDesk()
  const { page } = desk
  await page.goto('/sign-up')
  await page.getByLabel('Your name').fill('Ada Ringer')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
  await page.goto(findAppLink(await waitForMail(email, 'Confirm your address')))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText(`${email} is confirmed`).waitFor()
  await desk.check()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'New workspace' }).waitFor()
})

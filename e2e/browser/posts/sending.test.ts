import { expect, test } from 'vitest'
import { account, openComposer, textField, waitUntilSaved } from '../compose/writing.ts'
import { callSimulator } from '../../test-stack.ts'
import { openDesk, type Desk } from '../rig/desk.ts'
import { simulatedHandle, type TestPerson } from '../rig/people.ts'

const messagesOf = ({ page }: Desk) => page.getByRole('region', { name: 'Notifications' })

const showButton = (desk: Desk) => messagesOf(desk).getByRole('button', { name: 'Show' })

/** Writes a post in the composer and sends it. */
async function send({ page }: Desk, platforms: readonly string[]): Promise<void> {
  for (const platform of platforms) await account(page, platform).click()
  await textField(page).fill('The bells ring at nine')
  await waitUntilSaved(page)
  await page.getByRole('button', { name: 'Publish now' }).click()
}

const refuse = (person: TestPerson, platform: string) =>
  callSimulator('POST', 'faults', {
    platform,
    handle: simulatedHandle(person),
    operation: 'submit',
    fault: { kind: 'status', status: 422, body: { error: 'not welcome here' } },
  })

/** The last message replaces the first one, and nothing else is said. */
async function expectOutcome(desk: Desk, text: string): Promise<void> {
  const messages = messagesOf(desk)
  await messages.getByText(text, { exact: true }).waitFor({ timeout: 60_000 })
  for (const other of ['On its way', 'On its way again', 'Published', 'Not published', '1 of 2 published'])
    expect([other, await messages.getByText(other, { exact: true }).count()]).toEqual([other, other === text ? 1 : 0])
}

test('guarantee: what is said about a post that went out everywhere is that it is published, also on another page', async () => {
  const desk = await openDesk()
  const person = await openComposer(desk)
  // The answer of the platform comes when the person has gone elsewhere.
  const fault = await callSimulator('POST', 'faults', {
    platform: 'mastodon',
    handle: simulatedHandle(person),
    operation: 'submit',
    fault: { kind: 'delay', ms: 4000 },
  })
  await send(desk, ['Mastodon', 'Bluesky'])
  await messagesOf(desk).getByText('On its way', { exact: true }).waitFor()
  await desk.page.getByRole('link', { name: 'Media', exact: true }).click()
  await desk.page.getByRole('heading', { level: 1, name: 'Media' }).waitFor()
  await expectOutcome(desk, 'Published')
  expect(await showButton(desk).count()).toBe(0)
  await callSimulator('DELETE', `faults/${fault.id}`)
})

test('guarantee: a post that no platform took is called not published, and the message leads to it', async () => {
  const desk = await openDesk()
  const { page } = desk
  const person = await openComposer(desk)
  const fault = await refuse(person, 'mastodon')
  await send(desk, ['Mastodon'])
  await expectOutcome(desk, 'Not published')
  const address = page.url()
  await page.getByRole('link', { name: 'Media', exact: true }).click()
  await showButton(desk).click()
  await page.waitForURL(address)
  await desk.checkBothThemes()
  // Sent again, it has a message of its own.
  await callSimulator('DELETE', `faults/${fault.id}`)
  await page
    .getByRole('article', { name: /Mastodon/ })
    .getByRole('button', { name: 'Send again' })
    .click()
  await messagesOf(desk).getByText('Published', { exact: true }).waitFor({ timeout: 60_000 })
})

test('guarantee: of a post that one of two platforms refused, it is said how many have it', async () => {
  const desk = await openDesk({ phone: true })
  const person = await openComposer(desk)
  const fault = await refuse(person, 'bluesky')
  await send(desk, ['Mastodon', 'Bluesky'])
  await expectOutcome(desk, '1 of 2 published')
  await showButton(desk).waitFor()
  await desk.check()
  await callSimulator('DELETE', `faults/${fault.id}`)
})

import type { Post, Queue } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { uniqueText } from '../../test-stack.ts'
import { account, readApi, textField } from '../compose/writing.ts'
import { openDesk, type Desk } from '../rig/desk.ts'
import { pressOn, tabTo } from '../rig/keyboard.ts'
import { post, signInNewPerson } from '../rig/people.ts'

/** Chooses 17:30 as the new time, in our own field or in that of the system. */
async function fillTime({ page }: Desk): Promise<void> {
  const field = page.getByLabel('Another time')
  await field.fill('17:30')
  await field.press('Tab')
}

test.each([{ phone: false }, { phone: true, dark: true }])(
  'guarantee: a queue is made, its week is filled in and saved, and a post is added to it with one click (%o)',
  async (options) => {
    const desk = await openDesk({ ...options, expects: [404] })
    const { page } = desk
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    await page.goto(`/w/${workspaceId}/settings/queue`)
    await page.getByText('No queue yet').waitFor()
    await desk.check()
    await page.getByRole('button', { name: 'Create a queue' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Mornings')
    await desk.check()
    await dialog.getByRole('button', { name: 'Create a queue' }).click()

    const week = page.getByRole('table', { name: 'Times of “Mornings”' })
    await week.waitFor()
    expect(await week.getByRole('button', { pressed: true }).count()).toBe(5)
    await week.getByRole('button', { name: 'Mon, 09:00' }).click()
    await fillTime(desk)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await week.getByRole('button', { name: 'Fri, 17:30' }).click()
    await week.getByRole('button', { name: 'Sat, 17:30' }).click()
    await desk.checkBothThemes()
    await page.getByRole('button', { name: 'Save times' }).click()
    await page.getByText('Times saved').waitFor()
    const [queue] = await readApi<Queue[]>(page, '/queues', workspaceId)
    expect(queue?.slots.map(({ day, time }) => `${day} ${time}`)).toEqual([
      'monday 17:30',
      'tuesday 09:00',
      'tuesday 17:30',
      'wednesday 09:00',
      'wednesday 17:30',
      'thursday 09:00',
      'thursday 17:30',
      'friday 09:00',
      'saturday 17:30',
    ])

    await page.goto(`/w/${workspaceId}/compose`)
    await account(page, 'Bluesky').click()
    await textField(page).fill(uniqueText('The bells ring'))
    const add = page.getByRole('button', { name: 'Add to queue' })
    await add.waitFor()
    const { slots } = await readApi<{ slots: { at: string }[] }>(page, '/queues/default/slots?free=true&limit=1', workspaceId)
    await desk.check()
    await add.click()
    await page.waitForURL(/\/posts\/\w+$/)
    await page.getByText(/^Added to the queue: /).waitFor()
    const saved = await readApi<Post>(page, `/content/${page.url().split('/').at(-1) ?? ''}`, workspaceId)
    expect(saved).toMatchObject({ status: 'scheduled', scheduledAt: slots[0]?.at })

    // The slot shows its post, and a gap is closed on wish.
    await post(
      desk.context,
      '/api/content/text',
      { connections: [saved.channels[0]?.connection], text: 'Later', queue: 'default' },
      workspaceId,
    )
    await post(desk.context, `/api/content/${saved.uploadId}/unschedule`, {}, workspaceId)
    await page.goto(`/w/${workspaceId}/settings/queue`)
    await page.getByRole('region', { name: 'Next slots' }).getByRole('link', { name: 'Show post' }).waitFor()
    await page.getByRole('button', { name: 'Close gaps' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close gaps' }).click()
    await page.getByText('1 post moved forward').waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No queue yet').waitFor()
  },
)

test('guarantee: the week of a queue is filled in with the keyboard alone, and changes can be discarded', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk)
  await post(desk.context, '/api/queues', { name: 'Main', slots: [{ day: 'monday', time: '09:00' }] }, workspaceId)
  await page.goto(`/w/${workspaceId}/settings/queue`)
  const slot = (name: string) => page.getByRole('button', { name, exact: true })
  await tabTo(page, slot('Tue, 09:00'))
  await page.keyboard.press('Space')
  expect(await slot('Tue, 09:00').getAttribute('aria-pressed')).toBe('true')
  await pressOn(page, slot('Discard'))
  expect(await slot('Tue, 09:00').getAttribute('aria-pressed')).toBe('false')
  await tabTo(page, slot('Mon, 09:00'), 'Shift+Tab')
  await page.keyboard.press('Space')
  await pressOn(page, slot('Save times'))
  await page.getByText('Times saved').waitFor()
  const [queue] = await readApi<Queue[]>(page, '/queues', workspaceId)
  expect(queue?.slots).toEqual([])
})

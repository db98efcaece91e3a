import type { Queue } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { insertPastPosts } from '../../support/database/insert-past-posts.ts'
import { readApi } from '../compose/writing.ts'
import { openDesk } from '../rig/desk.ts'
import { pressOn } from '../rig/keyboard.ts'
import { inviteMember, post, signInNewPerson } from '../rig/people.ts'
import { morePosts, twelvePosts } from './past-week.fixture.ts'

const zone = 'Europe/Berlin'

test.each([{ phone: false }, { phone: true, dark: true }])(
  'guarantee: the best times say on how much they rest, and adding them to a queue doubles and removes no slot (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page, context } = desk
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    await insertPastPosts(workspaceId, zone, twelvePosts)
    await page.goto(`/w/${workspaceId}/analytics`)
    const section = page.getByRole('region', { name: 'Best times to publish' })
    await section.getByText('Not enough posts yet: 12 of 20').waitFor()
    expect(await section.getByRole('table').count()).toBe(0)
    await desk.check()

    await insertPastPosts(workspaceId, zone, morePosts)
    await page.reload()
    const best = section.getByRole('list', { name: 'Best times to publish' }).getByRole('listitem')
    await best.first().waitFor()
    expect(await best.allInnerTexts()).toEqual([
      'Tuesday 09:00\n1.8 times the usual, 10 posts, good certainty',
      'Thursday 17:00\n1.5 times the usual, 6 posts, some certainty',
    ])
    const week = section.getByRole('table')
    await week
      .getByRole('row', { name: '09:00' })
      .getByText('1.8 times the usual, 10 posts, good certainty, among the best')
      .waitFor()
    await week.getByRole('row', { name: '10:00' }).getByText('0.6 times the usual, 6 posts, some certainty').waitFor()
    await desk.checkBothThemes()

    const dialog = page.getByRole('dialog')
    await section.getByRole('button', { name: 'Use as slots' }).click()
    await dialog.getByText('There is no queue yet').waitFor()
    await desk.check()
    await page.keyboard.press('Escape')

    const slots = [{ day: 'tuesday', time: '09:00' }]
    const { data } = await post(context, '/api/queues', { name: 'Mornings', slots }, workspaceId)
    await page.reload()
    await pressOn(page, section.getByRole('button', { name: 'Use as slots' }))
    await dialog.getByText('New slots for “Mornings”, times in Berlin').waitFor()
    const known = dialog.getByRole('checkbox', { name: /^Tuesday 09:00/ })
    expect([await known.isChecked(), await known.isDisabled()]).toEqual([true, true])
    await desk.checkBothThemes()
    // Another member adds one in the meantime.
    const id = (data as Queue).id
    const headers = { 'x-workspace-id': workspaceId, origin: new URL(page.url()).origin }
    await context.request.patch(`/api/queues/${id}`, { headers, data: { slots: [...slots, { day: 'friday', time: '12:00' }] } })
    await pressOn(page, dialog.getByRole('button', { name: 'Add 1 slot' }))
    await page.getByText('1 slot added to “Mornings”').waitFor()
    const [queue] = await readApi<Queue[]>(page, '/queues', workspaceId)
    expect(queue?.slots.map(({ day, time }) => `${day} ${time}`)).toEqual(['tuesday 09:00', 'thursday 17:00', 'friday 12:00'])
    await section.getByRole('button', { name: 'Use as slots' }).click()
    await dialog.getByRole('checkbox', { name: /^Thursday 17:00/, disabled: true }).waitFor()
    expect(await dialog.getByRole('button', { name: /^Add 0 slots/ }).isDisabled()).toBe(true)
  },
)

test('who may not change queues is not offered to', async () => {
  const owner = await openDesk()
  const { workspaceId } = await signInNewPerson(owner, { simulated: true })
  await insertPastPosts(workspaceId, zone, [...twelvePosts, ...morePosts])
  const desk = await openDesk()
  await inviteMember(owner, desk, workspaceId)
  await desk.page.goto(`/w/${workspaceId}/analytics`)
  const section = desk.page.getByRole('region', { name: 'Best times to publish' })
  await section.getByText('Tuesday 09:00').waitFor()
  expect(await section.getByRole('button').count()).toBe(0)
})

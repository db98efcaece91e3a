import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDesk, type Desk } from '../rig/desk.ts'
import { inviteMember, post, signInNewPerson } from '../rig/people.ts'
import { createPost, dayOfNextMonth } from '../rig/posts.ts'

const day = dayOfNextMonth(10)
const seenMsMax = 1000
const changes = 20

const chip = (page: Page, name: RegExp) => page.locator(`[data-slot="${day}"]`).getByRole('link', { name })

/** Two people of one workspace. The second one looks at the calendar, with one post. */
async function openBoth(): Promise<{ writer: Desk; reader: Desk; move: (time: string) => Promise<void> }> {
  const writer = await openDesk()
  const { workspaceId } = await signInNewPerson(writer, { simulated: true })
  const id = await createPost(writer, { workspaceId, text: 'Evensong', wall: `${day}T08:00` })
  // A request that is cut on purpose is reported without a status.
  const reader = await openDesk({ expects: [0] })
  await inviteMember(writer, reader, workspaceId)
  await reader.page.goto(`/w/${workspaceId}/calendar?day=${day}`)
  await chip(reader.page, /08:00 ?Evensong/).waitFor()
  const move = async (time: string) => {
    const body = { scheduledAt: `${day}T${time}`, timezone: 'Europe/Berlin' }
    await post(writer.context, `/api/content/${id}/reschedule`, body, workspaceId)
  }
  return { writer, reader, move }
}

test(`guarantee: a change through the API is on another person’s screen within ${seenMsMax} ms`, async () => {
  const { reader, move } = await openBoth()
  const tookMs: number[] = []
  for (let change = 0; change < changes; change++) {
    const time = `09:${String(change).padStart(2, '0')}`
    await move(time)
    const beganMs = performance.now()
    await chip(reader.page, new RegExp(`${time} ?Evensong`)).waitFor()
    tookMs.push(performance.now() - beganMs)
  }
  const [p50 = 0, p95 = 0] = [0.5, 0.95].map((part) => tookMs.toSorted((a, b) => a - b)[Math.ceil(changes * part) - 1])
  console.log(`${changes} changes on another screen: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`)
  expect(p95).toBeLessThan(seenMsMax)
})

test('guarantee: a change while the connection is down is on the screen after it is back, without a reload', async () => {
  const { reader, move } = await openBoth()
  const streams: string[] = []
  reader.page.on('request', (request) => {
    if (request.url().endsWith('/live')) streams.push(request.url())
  })
  await reader.context.setOffline(true)
  await move('11:15')
  await reader.context.setOffline(false)
  await chip(reader.page, /11:15 ?Evensong/).waitFor({ timeout: 20_000 })
  // Otherwise the stream was never interrupted, and nothing was tested.
  expect(streams.length).toBeGreaterThan(0)
})

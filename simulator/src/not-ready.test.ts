import { expect, test } from 'vitest'
import { startTestSimulator, textAt, valueAt } from '../test/start-test-simulator.ts'

/** Guarantee: by default, a test meets the platforms as they are: what was just created cannot be used for some seconds. */
test('a new container is not ready for two to five fifths of the period, and for the same time in every run', async () => {
  const periods = async () => {
    await using simulator = await startTestSimulator({ notReadyMs: 5_000_000 })
    const { token } = await simulator.openAccount('threads')
    const found: number[] = []
    for (let n = 0; n < 3; n++) {
      const form = { media_type: 'TEXT', text: 'bell' }
      const id = textAt((await simulator.request('/threads/v1.0/me/threads', { token, form })).body, 'id')
      const state = async () => valueAt((await simulator.request(`/threads/v1.0/${id}?fields=status`, { token })).body, 'status')
      let waitedMs = 0
      for (; (await state()) === 'IN_PROGRESS'; waitedMs += 500_000) await simulator.control('/clock', { advanceMs: 500_000 })
      found.push(waitedMs)
    }
    return found
  }
  const first = await periods()
  expect(Math.min(...first)).toBeGreaterThanOrEqual(2_000_000)
  expect(Math.max(...first)).toBeLessThanOrEqual(5_500_000)
  expect(new Set(first).size).toBeGreaterThan(1)
  expect(await periods()).toEqual(first)
})

test('without a change of its settings, every platform has a period in which new objects are not ready', async () => {
  await using simulator = await startTestSimulator()
  await simulator.control('/reset', {})
  const { body } = await simulator.request('/_control/settings')
  expect(body).toMatchObject({ threads: { notReadyMs: 5000 }, instagram: { notReadyMs: 5000 }, x: { notReadyMs: 5000 } })
})

test('a request that names no program is refused', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const path = '/mastodon/api/v1/accounts/verify_credentials'
  expect((await simulator.request(path, { token, headers: { 'user-agent': '' } })).status).toBe(403)
  expect((await simulator.request(path, { token })).status).toBe(200)
})

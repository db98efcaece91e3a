import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPublishingStack, type PublishingStack } from './start-publishing-stack.fixture.ts'

/** Guarantee T32: an installation whose worker is dead does not call itself ready, although its API answers. */

let publishing: PublishingStack
beforeAll(async () => {
  publishing = await startPublishingStack({ name: 'worker-killed' })
}, 180_000)
afterAll(() => publishing?.stop(), 60_000)

test(
  'guarantee: without its worker the API is not ready within 30 s, and ready again with it',
  { timeout: 240_000 },
  async () => {
    const { api, worker } = publishing.stack.servers
    if (!api || !worker) throw new Error('the stack needs separate processes')
    const publicUrl = publishing.stack.info.baseUrl.replace(/\/api$/, '')
    const statuses = async () =>
      Promise.all([`${publicUrl}/health/ready`, `${api.healthUrl}/ready`].map(async (url) => (await fetch(url)).status))
    await expect.poll(statuses, { timeout: 60_000 }).toEqual([200, 200])
    await worker.kill()
    const killedMs = Date.now()
    await expect.poll(statuses, { timeout: 60_000, interval: 250 }).toEqual([503, 503])
    // The last heartbeat was before the kill and counts for 30 s; the rest is time for the request itself.
    expect(Date.now() - killedMs).toBeLessThan(35_000)
    const body = (await (await fetch(`${api.healthUrl}/ready`)).json()) as { problems: string[] }
    expect(body.problems.join()).toContain('No heartbeat came back through the engine')
    expect((await fetch(`${api.healthUrl}/accepting`)).status).toBe(200)
    await worker.restart()
    await expect.poll(statuses, { timeout: 90_000, interval: 250 }).toEqual([200, 200])
  },
)

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi, type Api } from '../chaos/client/api.ts'
import { parsePost, type ApiChannel } from '../chaos/client/api-post.ts'
import { fieldsOf, listOf } from '../chaos/client/json.ts'
import { measureSlowness } from '../support/slowness.ts'
import { judgeTraffic } from '../failover/judge-traffic.ts'
import type { DrillPost } from '../failover/traffic.ts'
import { recordDrill } from '../support/record-drill.ts'
import { receiveWebhooks, type WebhookReceiver } from './receive-webhooks.ts'
import { startCells, type Cells } from './start-cells.ts'
import { createTraffic } from './traffic.ts'

// Guarantee: a workspace moves from one cell to another and back while posts flow through the router. No post is lost, sent twice or reported
// wrongly, its webhook and its media go on working, and clients that repeat their requests notice nothing but a pause.

const beforeMs = 8_000
const afterMs = 15_000
const restWithinMs = 180_000

let cells: Cells
let webhooks: WebhookReceiver

beforeAll(async () => {
  cells = await startCells()
  webhooks = await receiveWebhooks(cells.first.info)
})
afterAll(async () => {
  await webhooks?.stop()
  await cells?.stop()
})

const delaySend = (platform: string, ms: number) =>
  cells.simulator.addFault({ platform, operation: 'submit', times: 3, fault: { kind: 'delay', ms, when: 'after' } })

async function moveTo(cell: 'first' | 'second', drainSeconds: number): Promise<Record<string, unknown>> {
  const source = cell === 'second' ? cells.first : cells.second
  const { workspaceId } = cells.first.info
  const args = ['--workspace', workspaceId, '--to', cells.settingsOf(cell), '--drain-seconds', String(drainSeconds)]
  return fieldsOf(await source.run(['move-workspace', '--json', ...args]))
}

test('a workspace moves to another cell and back under traffic', async () => {
  const beganMs = Date.now()
  const { info } = cells.first
  const { apiKey, workspaceId, connections } = info
  const api = createApi({ baseUrl: `${cells.url}/api`, apiKey, workspaceId })
  const traffic = await createTraffic({ url: cells.url, apiKey, workspaceId, connections }, `cells-${beganMs}`)
  const webhook = await traffic.carillon.webhooks.create({ url: webhooks.url, events: ['channel.published'] })
  webhooks.expectSecret(webhook.secret ?? '')

  // Due before, while and after the workspace moves; some are already claimed when it does.
  await traffic.schedule({ count: 60, fromMs: 4_000, everyMs: 1_000 })
  traffic.start()
  await sleep(beforeMs)
  // A send is in flight when the move begins, and is waited for.
  await delaySend('linkedin', 6_000)
  await sleep(3_000)
  const there = await moveTo('second', 45)
  expect(await askDirectly(cells.first.info.baseUrl)).toEqual([421, 'workspace_moved'])
  await sleep(afterMs)
  // This time the send is not waited for: the other cell has to ask the platform about it.
  await delaySend('bluesky', 25_000)
  await sleep(2_500)
  const back = await moveTo('first', 0)
  expect(await askDirectly(cells.second.info.baseUrl)).toEqual([421, 'workspace_moved'])
  await sleep(afterMs)
  await traffic.stop()

  const channels = await readAtRest(api, traffic.posts)
  const submits = await cells.simulator.submits(traffic.prefix)
  const figures = judgeTraffic({ posts: traffic.posts, channelOf: (post) => channels.get(post), submits, lost: null })
  const published = traffic.posts.filter((post) => channels.get(post)?.status === 'success')
  const withoutEvent = await waitForEvents(published)
  const summary = {
    ...figures,
    there,
    back,
    secondsWithoutAnswer: Math.round(traffic.pauseMs() / 100) / 10,
    failedCalls: traffic.failures.length,
    webhooks: { received: webhooks.received.length, refused: webhooks.refused.length, missing: withoutEvent.length },
    slowness: Math.round(measureSlowness() * 10) / 10,
  }
  console.log('move of a workspace', JSON.stringify(summary))
  await recordDrill('move of a workspace between two cells and back', beganMs, summary)
  expect(figures).toMatchObject({ lost: 0, doubled: 0, false: 0, violations: [] })
  expect([there['inDoubt'], Number(back['inDoubt']) > 0]).toEqual([0, true])
  expect(webhooks.refused).toEqual([])
  expect(withoutEvent).toEqual([])
  expect(await verifyAuditLog()).toEqual([])

  const text = traffic.posts[1]?.text ?? ''
  const repeated = await api({ method: 'POST', path: '/content/text', body: { text, connections: [connections[0]] }, key: text })
  // The stored answer came along: another body with the same key is refused, so the same body would be answered and not published.
  expect(repeated.code).toBe('idempotency_key_reused')
})

/** What a cell says to a client that does not use the router. */
async function askDirectly(baseUrl: string): Promise<[number, unknown]> {
  const { apiKey, workspaceId } = cells.first.info
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId }
  const response = await fetch(`${baseUrl}/content?limit=1`, { headers })
  return [response.status, fieldsOf(fieldsOf(await response.json())['error'])['code']]
}

async function verifyAuditLog(): Promise<unknown[]> {
  const { workspaceId } = cells.first.info
  return listOf(fieldsOf(await cells.first.run(['audit', 'verify', '--json', '--workspace', workspaceId]))['faults'])
}

/** The channels of all accepted posts, as soon as none waits to be sent any more. */
async function readAtRest(api: Api, posts: readonly DrillPost[]): Promise<Map<DrillPost, ApiChannel>> {
  const channels = new Map<DrillPost, ApiChannel>()
  const endMs = Date.now() + restWithinMs
  for (let open = posts.filter(({ accepted }) => accepted !== null); open.length > 0 && Date.now() < endMs; await sleep(1000)) {
    const waiting: DrillPost[] = []
    for (const post of open) {
      const answer = await api({ method: 'GET', path: `/content/${post.accepted?.id ?? ''}` })
      const [channel] = answer.status === 200 ? parsePost(answer.data).channels : []
      if (channel) channels.set(post, channel)
      if (channel?.status === 'pending' || channel?.status === 'publishing') waiting.push(post)
    }
    open = waiting
  }
  return channels
}

/** Published posts of which no event arrived. A delivery that was interrupted is repeated after a minute. */
async function waitForEvents(posts: readonly DrillPost[]): Promise<string[]> {
  const endMs = Date.now() + restWithinMs
  for (;;) {
    const arrived = new Set(webhooks.received.map(({ requestId }) => requestId))
    const missing = posts.filter(({ accepted }) => accepted && !arrived.has(accepted.id)).map(({ text }) => text)
    if (missing.length === 0 || Date.now() > endMs) return missing
    await sleep(1000)
  }
}

import { createCarillon, type Carillon } from '@carillon/sdk'
import { beforeAll, expect, test } from 'vitest'
import { newAddress } from '../support/browser.ts'
import { callData } from '../support/call.ts'
import { writeSlowly } from '../support/hostile/endless-body.ts'
import { answerJson, useSocialServer, type SocialAnswer } from '../support/hostile/hostile-social-server.ts'
import { connectAccountsTo, connectInstances, createPerson } from '../support/server-env.ts'
import { measureSlowness } from '../support/slowness.ts'
import { useWebhookReceiver } from '../support/webhook-receiver.ts'
import { testStack, timeAfter, uniqueText } from '../test-stack.ts'

/**
 * Guarantee: a tenant whose servers are slow delays nobody else. The engine has 128 places for the runs of all tenants; the runs of this attack
 * would fill them all for minutes if each of them waited for its server.
 */

const servers = Number(process.env['CARILLON_SLOW_SERVERS'] ?? 12)
const postsPerServer = Number(process.env['CARILLON_SLOW_POSTS'] ?? 25)
/** How long posts of the others are due during an attack, and how far apart. */
const watchMs = Number(process.env['CARILLON_SLOW_WATCH_MS'] ?? 60_000)
const everyMs = 6_000
const controlMs = 18_000
const lateMsMax = 5_000
/** Each of them gets an event for every post of the attacker. More would measure how fast this machine stores events. */
const webhooks = 4

const isLost = (body: string) => body.includes('lost answer')
let published = 0

const answer: SocialAnswer = ({ method, path, body }, response) => {
  const { pathname } = new URL(path, 'http://social.example')
  if (method === 'POST' && pathname.endsWith('/api/v1/statuses') && !body.includes('in_reply_to_id')) {
    if (isLost(body)) return void response.socket?.destroy()
    published++
    return answerJson(response, { id: String(published), url: `https://social.example/${published}` })
  }
  // Everything else is answered slowly: lists of posts, figures and comments.
  writeSlowly(response.writeHead(200, { 'content-type': 'application/json' }))
}

const social = useSocialServer(answer)
const receiver = useWebhookReceiver()

type Tenant = { client: Carillon; workspaceId: string; apiKey: string; slugs: string[] }

async function createTenant(name: string, connect: (tenant: { workspaceId: string }) => Promise<string[]>): Promise<Tenant> {
  const { workspaceId, apiKey } = await createPerson(newAddress(name))
  const client = createCarillon({ baseUrl: testStack.baseUrl, apiKey, workspaceId })
  return { client, workspaceId, apiKey, slugs: await connect({ workspaceId }) }
}

let attacker: Tenant
const others: Tenant[] = []
beforeAll(async () => {
  const urls = Array.from({ length: servers }, (_, n) => `${social.url()}/server${n}`)
  const made = await Promise.all([
    createTenant('slow', ({ workspaceId }) => connectInstances(workspaceId, urls, 'slow')),
    ...['x', 'bluesky', 'linkedin', 'threads'].map((platform) =>
      createTenant(platform, async ({ workspaceId }) => {
        const accounts = await connectAccountsTo(workspaceId, 'victim', [platform])
        return accounts.map(({ slug }) => slug)
      }),
    ),
  ])
  attacker = made[0]
  others.push(...made.slice(1))
}, 400_000)

/** One post of each other tenant every few seconds. Returns how late each was, in milliseconds, when all are published. */
async function measureLateness(beginMs: number, forMs: number): Promise<number[]> {
  const dueTimes = Array.from({ length: Math.ceil(forMs / everyMs) }, (_, n) => beginMs + n * everyMs)
  const late = await Promise.all(
    others.flatMap(({ client, slugs }) =>
      dueTimes.map(async (dueMs) => {
        const scheduledAt = new Date(dueMs).toISOString()
        const { uploadId } = await client.content.createText({
          connections: slugs,
          text: uniqueText('on time'),
          scheduledAt,
        })
        await client.content.waitUntilFinished(uploadId, { timeoutMs: dueMs - Date.now() + 180_000 })
        const [channel] = (await client.content.get(uploadId)).channels
        return Date.parse(channel?.result.publishedAt ?? '') - dueMs
      }),
    ),
  )
  return late.toSorted((a, b) => a - b)
}

/** What the engine runs now, by handler. */
async function countRuns(): Promise<string> {
  const query = `select target_handler_name as name, status, count(*) as n from sys_invocation
    where status in ('ready', 'running') group by 1, 2 order by 3 desc limit 6`
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const response = await fetch(`${testStack.restateAdminUrl}/query`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const { rows } = (await response.json()) as { rows: { name: string; status: string; n: number }[] }
  return rows.map(({ name, status, n }) => `${name} ${status} ${n}`).join(', ')
}

const describeLateness = (late: readonly number[]) =>
  `median ${late[Math.floor(late.length / 2)]} ms, longest ${late.at(-1)} ms of ${late.length}`

/** Posts of the attacker on all slow servers, due together. The posts of the others are due from then on, and must be punctual. */
async function attack(text: string, more: object = {}): Promise<void> {
  const control = await measureLateness(Date.now() + 8_000, controlMs)
  const scheduledAt = timeAfter(15_000)
  for (let n = 0; n < postsPerServer; n++)
    await attacker.client.content.createText({ connections: attacker.slugs, text: uniqueText(text), scheduledAt, ...more })
  const measuring = measureLateness(Math.max(Date.parse(scheduledAt), Date.now()) + 4_000, watchMs)
  const watch = setInterval(() => void countRuns().then((runs) => console.log(`the engine: ${runs}`)), 10_000)
  const late = await measuring.finally(() => clearInterval(watch))
  console.log(`${text}: without the attack ${describeLateness(control)}; during it ${describeLateness(late)}`)
  // The worker that sends for the others shares the machine with the attack and with other suites.
  expect(late.at(-1)).toBeLessThan((control.at(-1) ?? 0) + lateMsMax * measureSlowness())
}

test('lost answers on servers that do not answer the question about them', { timeout: 420_000 }, async () => {
  await attack('lost answer')
  const asked = social.calls('GET', '/server').length
  console.log(`${social.calls('POST', '/server').length} lost answers, ${asked} questions`)
  expect(social.calls('POST', '/server').length).toBeGreaterThanOrEqual(servers * postsPerServer)
  // Each question takes half a minute, and a workspace has eight slots for them.
  expect(asked).toBeGreaterThanOrEqual(8)
})

test('first comments, figures and webhooks on servers that are slow', { timeout: 420_000 }, async () => {
  const by = { key: attacker.apiKey, workspace: attacker.workspaceId }
  for (let n = 0; n < webhooks; n++) {
    receiver.setReply(`/slow${n}`, () => ({ status: 200, write: writeSlowly }))
    await callData('POST /webhooks', { ...by, body: { url: receiver.url(`/slow${n}`), events: ['channel.published'] } })
  }
  const figures = setInterval(() => void attacker.client.analytics.sync().catch(() => {}), 5_000)
  await attack('answered', { firstComment: 'A comment.' }).finally(() => clearInterval(figures))
  expect(published).toBeGreaterThan(0)
  expect(receiver.received('/slow0').length).toBeGreaterThan(0)
})

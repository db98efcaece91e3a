import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startSecondServer } from '../support/second-server.ts'
import { createSender, type Answer } from '../support/send-from.ts'
import { createPerson } from '../support/server-env.ts'
import { uniqueText } from '../test-stack.ts'
import type { Report } from './strangers.ts'

/** Guarantee: strangers use up only their own limits, and a limit holds on every API process. */
const senders = new Map<string, ReturnType<typeof createSender>>()
const from = (address: string) => {
  const found = senders.get(address) ?? createSender(address)
  senders.set(address, found)
  return found
}
afterAll(() => {
  for (const { close } of senders.values()) close()
})

const newPerson = (who: string) => createPerson(`${uniqueText(who).replace(' ', '-')}@example.com`)
const listPosts = (key: string, workspaceId: string) => ({
  path: '/api/content?limit=1',
  headers: { authorization: `Bearer ${key}`, 'x-workspace-id': workspaceId },
})

function percentile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Twenty requests a second, one after another, for this long and until enough has happened. */
async function useService(
  person: { apiKey: string; workspaceId: string },
  seconds: number,
  isEnough = () => true,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const endMs = Date.now() + seconds * 1000; Date.now() < endMs || !isEnough();) {
    answers.push(await from('127.0.0.3').send(listPosts(person.apiKey, person.workspaceId)))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return answers
}

/** Strangers in a program of their own. */
function startStrangers(workspaceId: string) {
  const child = fork(join(import.meta.dirname, 'strangers.ts'), [workspaceId])
  let latest: Report = { sent: 0, perMinute: 0, statuses: {} }
  child.on('message', (report: Report) => (latest = report))
  const stop = async () => {
    if (child.connected) child.send('stop')
    if (child.exitCode === null) await once(child, 'exit')
    return latest
  }
  return { report: () => latest, stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

test('1,000 requests a second from strangers with the id of a workspace leave its owner alone', async () => {
  const victim = await newPerson('victim')
  const seconds = 15
  await useService(victim, 2)
  const before = await useService(victim, seconds)

  await using strangers = startStrangers(victim.workspaceId)
  // More than a workspace may send in a minute: counted for the victim, they would lock it out.
  const during = await useService(victim, seconds, () => strangers.report().sent > 13_000)
  const { perMinute, statuses } = await strangers.stop()
  const [quietMs, busyMs] = [percentile(before, 0.99), percentile(during, 0.99)]
  console.log(
    `strangers: ${perMinute} requests a minute, answers ${JSON.stringify(statuses)}; ` +
      `victim: p99 ${quietMs.toFixed(1)} ms before, ${busyMs.toFixed(1)} ms during (p50 ${percentile(before, 0.5).toFixed(1)}, ${percentile(during, 0.5).toFixed(1)})`,
  )
  expect(new Set(during.map(({ status }) => status))).toEqual(new Set([200]))
  for (const status of Object.keys(statuses)) expect(['401', '429']).toContain(status)
  // The strangers and the victim share two cores with the service and with other tests, so the time is bounded generously: one that waited for
  // the strangers' limit to pass would wait for a minute.
  expect(busyMs).toBeLessThan(Math.max(3000, quietMs * 10))
  // On a busy machine, the strangers need minutes for as many requests.
}, 300_000)

test('text after a key is refused and gives no limit of its own', async () => {
  const { apiKey, workspaceId } = await newPerson('narrow')
  const { send } = from('127.0.0.4')
  const plain = await send(listPosts(apiKey, workspaceId))
  expect(plain.status).toBe(200)
  for (const junk of [' junk', ' ', ',x', '\tx'])
    expect([junk, (await send(listPosts(apiKey + junk, workspaceId))).status === 200]).toEqual([junk, junk === ' '])
  const left = (answer: Answer) => Number(answer.headers['x-ratelimit-remaining'])
  expect(left(await send(listPosts(apiKey, workspaceId)))).toBeLessThan(left(plain))
})

test('a limit holds on two API processes together', async () => {
  const limit = 100
  await using one = await startSecondServer({ CARILLON_REQUESTS_PER_MINUTE: String(limit) })
  await using other = await startSecondServer({ CARILLON_REQUESTS_PER_MINUTE: String(limit) })
  const { apiKey, workspaceId } = await newPerson('busy')
  const origins = [one, other].map(({ baseUrl }) => baseUrl.replace(/\/api$/, ''))
  const count = async (request: { path: string; headers: Record<string, string> }, address: string) => {
    const answers = []
    for (let n = 0; n < limit * 2; n++) answers.push(await from(address).send({ ...request, origin: origins[n % 2] ?? '' }))
    return answers.filter(({ status }) => status !== 429).length
  }
  const byKey = await count(listPosts(apiKey, workspaceId), '127.0.0.5')
  const byAddress = await count(listPosts('nonsense', workspaceId), '127.0.0.6')
  console.log(`of a limit of ${limit}, two processes allowed ${byKey} requests of a key and ${byAddress} of an address`)
  for (const allowed of [byKey, byAddress]) {
    expect(allowed).toBeLessThanOrEqual(limit * 1.02)
    expect(allowed).toBeGreaterThanOrEqual(limit * 0.9)
  }
}, 120_000)

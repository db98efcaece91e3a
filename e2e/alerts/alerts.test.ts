import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { upStack, type Stack } from '@carillon/stack'
import { freePort, root, startPrometheus, type Prometheus } from '@carillon/stack/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shortenRules } from './shorten-rules.ts'

/** A real Prometheus with the shipped rules, shortened, watches a real stack. Each fault raises its alerts and no others. */
const dir = join(tmpdir(), `carillon-alerts-${process.pid}`)
let stack: Stack
let prometheus: Prometheus
let connection: string
let hanging: Server
const sockets: Socket[] = []

beforeAll(async () => {
  stack = await upStack({ dir, fsync: false, roles: ['api', 'worker'] })
  connection = (await stack.connect('mastodon', 'watched')).slug
  const rulesFile = join(dir, 'alerts.yaml')
  await writeFile(rulesFile, shortenRules(await readFile(join(root, 'deploy/monitoring/alerts.yaml'), 'utf8')))
  const targetOf = (role: 'api' | 'worker') => [new URL(stack.servers[role]?.healthUrl ?? '').host]
  prometheus = await startPrometheus({
    dir: join(dir, 'prometheus'),
    port: await freePort(),
    rulesFile,
    targets: { 'carillon-api': targetOf('api'), 'carillon-worker': targetOf('worker') },
  })
  // An endpoint that accepts connections and never answers.
  hanging = createServer((socket) => void sockets.push(socket)).listen(Number(stack.info.webhookHost.split(':')[1]), '127.0.0.1')
  await once(hanging, 'listening')
})

afterAll(async () => {
  await prometheus?.stop()
  await stack?.stop()
  for (const socket of sockets) socket.destroy()
  hanging?.close()
  await rm(dir, { recursive: true, force: true })
})

async function firing(): Promise<string[]> {
  const response = await fetch(`${prometheus.url}/api/v1/alerts`)
  const { data } = (await response.json()) as { data: { alerts: { state: string; labels: { alertname: string } }[] } }
  const names = data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
  return [...new Set(names)].toSorted()
}

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; data: { id?: string } }> {
  const { info } = stack
  const response = await fetch(`${info.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${info.apiKey}`,
      'x-workspace-id': info.workspaceId,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.text()
  return { status: response.status, data: (answer ? (JSON.parse(answer) as { data?: { id?: string } }).data : {}) ?? {} }
}

async function createPosts(count: number): Promise<void> {
  const posts = Array.from({ length: count }, (_, n) => ({
    connections: [connection],
    text: `drill ${n} ${Date.now()}`,
    async: true,
  }))
  const answers = await Promise.all(posts.map((post) => call('POST', '/content/text', post)))
  expect(answers.map(({ status }) => status)).toEqual(posts.map(() => 202))
}

/** Waits for one alert and reports how long it took. Returns what fired until then, without the consequences of the fault. */
async function waitForAlert(name: string, consequences: readonly string[] = []): Promise<string[]> {
  const beganMs = Date.now()
  const seen = new Set<string>()
  while (!seen.has(name) && Date.now() - beganMs < 180_000) {
    for (const each of await firing()) seen.add(each)
    await sleep(250)
  }
  console.log(`${name}: ${((Date.now() - beganMs) / 1000).toFixed(1)} s, with ${[...seen].join(', ')}`)
  return [...seen].filter((each) => !consequences.includes(each))
}

async function waitForQuiet(): Promise<string[]> {
  const endMs = Date.now() + 120_000
  while ((await firing()).length > 0 && Date.now() < endMs) await sleep(500)
  return firing()
}

test('no alert fires while posts go out', async () => {
  await createPosts(5)
  const endMs = Date.now() + 10_000
  while (Date.now() < endMs) {
    expect(await firing()).toEqual([])
    await sleep(500)
  }
})

test('a worker that is killed: its process, then the heartbeat', async () => {
  const worker = stack.servers.worker
  await worker?.kill()
  expect(
    await waitForAlert('CarillonProcessDown', ['CarillonHeartbeatMissing', 'CarillonPostsOverdue', 'CarillonWitnessUnchecked']),
  ).toEqual(['CarillonProcessDown'])
  expect(
    await waitForAlert('CarillonHeartbeatMissing', ['CarillonProcessDown', 'CarillonPostsOverdue', 'CarillonWitnessUnchecked']),
  ).toEqual(['CarillonHeartbeatMissing'])
  await worker?.restart()
  expect(await waitForQuiet()).toEqual([])
})

test('an engine that is stopped: it is named, with the loops that need it', async () => {
  await stack.restate.kill()
  const consequences = ['CarillonHeartbeatMissing', 'CarillonLoopStopped', 'CarillonPostsOverdue', 'CarillonWitnessUnchecked']
  expect(await waitForAlert('CarillonEngineUnreachable', consequences)).toEqual(['CarillonEngineUnreachable'])
  await stack.restate.restart()
  expect(await waitForQuiet()).toEqual([])
})

test('a webhook receiver that hangs: deliveries get no answer, posts go out', async () => {
  const hook = { url: `https://${stack.info.webhookHost}/hangs`, events: ['channel.published'] }
  const { status, data } = await call('POST', '/webhooks', hook)
  expect(status).toBe(201)
  await createPosts(30)
  expect(await waitForAlert('CarillonWebhooksFailing')).toEqual(['CarillonWebhooksFailing'])
  await call('DELETE', `/webhooks/${data.id}`)
  expect(await waitForQuiet()).toEqual([])
})

test('a platform that is down: it is named, and posts wait', async () => {
  const fault = { platform: 'mastodon', handle: 'watched', operation: 'submit', fault: { kind: 'status', status: 503 } }
  const added = await fetch(`${stack.info.simulatorUrl}/_control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  })
  expect(added.ok).toBe(true)
  await createPosts(12)
  expect(await waitForAlert('CarillonPlatformFailing', ['CarillonPostsOverdue'])).toEqual(['CarillonPlatformFailing'])
})

import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { upStack, type Stack } from '@carillon/stack'
import { freePort, root, startPrometheus } from '@carillon/stack/services'
import { expect } from 'vitest'
import { shortenRules } from './shorten-rules.ts'

export type WatchedStack = Awaited<ReturnType<typeof startWatchedStack>>

type Answer = { status: number; data: { id?: string } }

/** A real stack, watched by a real Prometheus with the shipped rules, shortened. `name` tells the folders of the tests apart. */
export async function startWatchedStack(name: string, env: Record<string, string> = {}) {
  const dir = join(tmpdir(), `carillon-alerts-${name}-${process.pid}`)
  const stack = await upStack({ dir, fsync: false, roles: ['api', 'worker'], env })
  const connection = (await stack.connect('mastodon', 'watched')).slug
  const rulesFile = join(dir, 'alerts.yaml')
  await writeFile(rulesFile, shortenRules(await readFile(join(root, 'deploy/monitoring/alerts.yaml'), 'utf8')))
  const prometheus = await startPrometheus({
    dir: join(dir, 'prometheus'),
    port: await freePort(),
    rulesFile,
    everySeconds: 2,
    targets: { 'carillon-api': [healthHostOf(stack, 'api')], 'carillon-worker': [healthHostOf(stack, 'worker')] },
  })
  const faults: string[] = []

  async function firing(): Promise<string[]> {
    const response = await fetch(`${prometheus.url}/api/v1/alerts`)
    const { data } = (await response.json()) as { data: { alerts: { state: string; labels: { alertname: string } }[] } }
    const names = data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
    return [...new Set(names)].toSorted()
  }

  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
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

  async function control(path: string, body: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(`${stack.info.simulatorUrl}/_control${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.ok).toBe(true)
    return (await response.json()) as Record<string, unknown>
  }

  return {
    stack,
    connection,
    firing,
    call,
    control,
    async createPosts(count: number, connections: readonly string[] = [connection]): Promise<void> {
      const posts = Array.from({ length: count }, (_, n) => ({ connections, text: `drill ${n} ${Date.now()}`, async: true }))
      const answers = await Promise.all(posts.map((post) => call('POST', '/content/text', post)))
      expect(answers.map(({ status }) => status)).toEqual(posts.map(() => 202))
    },
    async addFault(fault: Record<string, unknown>): Promise<void> {
      faults.push(String((await control('/faults', fault))['id']))
    },
    async removeFaults(): Promise<void> {
      for (const id of faults.splice(0)) {
        await fetch(`${stack.info.simulatorUrl}/_control/faults/${id}`, { method: 'DELETE' })
      }
    },
    /** Waits until each of these alerts has fired, and returns all others that fired meanwhile, without the known consequences. */
    async waitForAlerts(
      names: readonly string[],
      { besides = [] as readonly string[], withinMs = 300_000 } = {},
    ): Promise<string[]> {
      const beganMs = Date.now()
      const seen = new Map<string, number>()
      while (!names.every((each) => seen.has(each)) && Date.now() - beganMs < withinMs) {
        for (const each of await firing()) if (!seen.has(each)) seen.set(each, Date.now() - beganMs)
        await sleep(250)
      }
      const times = [...seen].map(([each, ms]) => `${each} ${(ms / 1000).toFixed(1)} s`)
      console.log(`waited for ${names.join(', ')}: ${times.join(', ')}`)
      expect(names.filter((each) => !seen.has(each))).toEqual([])
      return [...seen.keys()].filter((each) => !names.includes(each) && !besides.includes(each))
    },
    /** Waits until no alert fires, and returns those that still do. */
    async waitForQuiet(withinMs = 240_000): Promise<string[]> {
      const endMs = Date.now() + withinMs
      while ((await firing()).length > 0 && Date.now() < endMs) await sleep(500)
      return firing()
    },
    async stop(): Promise<void> {
      await prometheus.stop()
      await stack.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function healthHostOf({ servers }: Stack, role: 'api' | 'worker'): string {
  return new URL(servers[role]?.healthUrl ?? '').host
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

export type ProbeSample = { atMs: number; tookMs: number; kind: 'status' | 'create'; status: number }

type Options = { baseUrl: string; headers: Record<string, string>; connections: readonly string[]; perSecond: number }

/** Sends a small constant rate of requests to the API. Each request starts at its time, even if the one before has no answer yet. */
export async function startProbe({ baseUrl, headers, connections, perSecond }: Options) {
  const { origin, pathname } = new URL(baseUrl)
  const pool = new Pool(origin, { connections: 16 })
  const samples: ProbeSample[] = []
  const later = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const create = JSON.stringify({ text: 'probe', connections, async: true, scheduledAt: later })

  const sendProbe = async (kind: ProbeSample['kind'], path: string) => {
    const begin = performance.now()
    const atMs = Date.now()
    const isCreate = kind === 'create'
    const answer = await pool.request({
      method: isCreate ? 'POST' : 'GET',
      path: pathname + path,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(isCreate && { body: create }),
    })
    const text = await answer.body.text()
    samples.push({ atMs, tookMs: performance.now() - begin, kind, status: answer.statusCode })
    return text
  }
  const first: { data: { requestId: string } } = JSON.parse(await sendProbe('create', '/content/text'))
  const statusPath = `/content/status?requestId=${first.data.requestId}`

  let isOn = true
  const pending = new Set<Promise<unknown>>()
  const running = (async () => {
    const begin = performance.now()
    for (let n = 0; isOn; n++) {
      await sleep(Math.max(0, begin + (n * 1000) / perSecond - performance.now()))
      const one = (n % 2 === 0 ? sendProbe('status', statusPath) : sendProbe('create', '/content/text')).catch(() => {
        samples.push({ atMs: Date.now(), tookMs: Number.NaN, kind: 'status', status: 0 })
      })
      pending.add(one)
      void one.then(() => pending.delete(one))
    }
    await Promise.all(pending)
  })()

  return {
    between: (fromMs: number, toMs: number) => samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs),
    async stop() {
      isOn = false
      await running
      await pool.close()
    },
  }
}

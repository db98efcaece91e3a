import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, root, startPrometheus } from '@carillon/stack/services'
import { registerCleanup } from '../cleanup.ts'
import { requestJson } from '../request-json.ts'
import { round } from '../stats.ts'
import type { BenchStack } from '../setup/bench-stack.ts'

/** A time in which an alert fired, in minutes since the start of the load. */
export type Firing = { alert: string; labels: string; fromMinute: number; toMinute: number }

export type AlertWatch = {
  /** All alerts so far. Null without a Prometheus. */
  read(startMs: number): Promise<Firing[] | null>
  stop(): Promise<void>
}

const program = '/usr/bin/prometheus'
const everySeconds = 15

/** Starts a Prometheus with the shipped rules and its usual interval, which reads the metrics of the stack's processes. */
export async function watchAlerts({ stack }: BenchStack): Promise<AlertWatch> {
  if (!existsSync(program)) return { read: async () => null, stop: async () => {} }
  const targetOf = (role: 'api' | 'worker') => [new URL(stack.servers[role]?.healthUrl ?? '').host]
  const prometheus = await startPrometheus({
    dir: join(stack.info.dir, 'prometheus'),
    port: await freePort(),
    rulesFile: join(root, 'deploy/monitoring/alerts.yaml'),
    everySeconds,
    targets: {
      'carillon-api': targetOf('api'),
      'carillon-worker': targetOf('worker'),
      restate: [new URL(stack.restate.nodeUrl).host],
    },
  })
  const unregister = registerCleanup(() => prometheus.stop())
  return {
    read: (startMs) => readFirings(prometheus.url, startMs),
    async stop() {
      unregister()
      await prometheus.stop()
    },
  }
}

type Series = { metric: Record<string, string>; values: [number, string][] }

/** Prometheus keeps the state of every alert as a series of its own. */
async function readFirings(url: string, startMs: number): Promise<Firing[]> {
  const range = { query: 'ALERTS{alertstate="firing"}', start: startMs / 1000, end: Date.now() / 1000, step: everySeconds }
  const query = new URLSearchParams(Object.entries(range).map(([name, value]) => [name, String(value)]))
  const { data } = await requestJson<{ data: { result: Series[] } }>(`${url}/api/v1/query_range?${query}`)
  return data.result.flatMap(({ metric, values }) => {
    const { alertname = '', alertstate: _state, __name__: _name, ...labels } = metric
    const minuteOf = (seconds: number) => round((seconds * 1000 - startMs) / 60_000)
    const firings: Firing[] = []
    let lastSeconds = 0
    for (const [seconds] of values) {
      const current = firings.at(-1)
      if (current && seconds - lastSeconds <= 2 * everySeconds) current.toMinute = minuteOf(seconds)
      else
        firings.push({ alert: alertname, labels: describe(labels), fromMinute: minuteOf(seconds), toMinute: minuteOf(seconds) })
      lastSeconds = seconds
    }
    return firings
  })
}

function describe(labels: Record<string, string>): string {
  const shown = Object.entries(labels).filter(([name]) => name !== 'severity')
  return shown.map(([name, value]) => `${name}=${value}`).join(' ')
}

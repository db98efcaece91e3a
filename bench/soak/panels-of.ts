import type { SoakSends } from './judge-sends.ts'
import type { Panel } from './plot.ts'
import { keptTables, type Sample } from './series.ts'

const megabyte = 1_000_000

/** The tables whose rows come and go most. */
const passingTables = [
  'idempotency',
  'live_event',
  'webhook_delivery',
  'outbox_event',
  'rate_window',
  'request_window',
  'audit_pending',
  'storage_removal',
]

/** The diagrams of the report. */
export function panelsOf(samples: readonly Sample[], lateness: SoakSends['lateness'], startMs: number): Panel[] {
  const line = (name: string, shownAs: string, divisor = 1) => ({
    name: shownAs,
    points: samples.flatMap(({ minute, values }) =>
      values[name] === undefined ? [] : [{ minute, value: values[name] / divisor }],
    ),
  })
  return [
    {
      title: 'Memory',
      unit: ' MB',
      lines: [
        line('memory api', 'api', megabyte),
        line('memory worker', 'worker', megabyte),
        line('memory engine', 'engine', megabyte),
        line('memory postgres private', 'PostgreSQL, its own', megabyte),
        line('shown postgres with shared buffers', 'PostgreSQL with shared buffers', megabyte),
      ],
    },
    {
      title: 'JavaScript heap in use',
      unit: ' MB',
      lines: [line('heap api', 'api', megabyte), line('heap worker', 'worker', megabyte)],
    },
    {
      title: 'Disk',
      unit: ' MB',
      lines: [
        line('disk engine', 'engine', megabyte),
        line('disk database log', 'log of PostgreSQL (WAL)', megabyte),
        line('disk media', 'media', megabyte),
        line('shown database size', 'database (grows with the posts)', megabyte),
      ],
    },
    {
      title: 'What the engine remembers',
      unit: '',
      lines: [line('engine runs', 'runs'), line('engine journal entries', 'journal entries')],
    },
    { title: 'Rows that pass', unit: '', lines: passingTables.map((name) => line(`rows ${name}`, name)) },
    {
      title: 'Bytes for each row that stays, with indexes',
      unit: ' B',
      lines: [...keptTables].map((name) => line(`bytes per row ${name}`, name)),
    },
    { title: 'Dead rows for each live row', unit: '', lines: [line('dead rows for each live row', 'all tables')] },
    {
      title: 'Open files and database connections',
      unit: '',
      lines: [
        line('open files api', 'files of the api'),
        line('open files worker', 'files of the worker'),
        line('database connections', 'connections'),
      ],
    },
    {
      title: 'Share of one core',
      unit: '',
      lines: [
        line('processor of the service', 'api, worker, PostgreSQL, engine'),
        line('processor api', 'api'),
        line('processor worker', 'worker'),
        line('processor postgres', 'PostgreSQL'),
        line('processor engine', 'engine'),
        line('processor all', 'the whole machine'),
      ],
    },
    { title: 'Lateness of sends in each five minutes', unit: ' ms', lines: latenessLines(lateness, startMs) },
  ]
}

const everyMinutes = 5

function latenessLines(lateness: SoakSends['lateness'], startMs: number) {
  const byTime = Map.groupBy(lateness, ({ dueAtMs }) => Math.floor((dueAtMs - startMs) / 60_000 / everyMinutes))
  const at = (share: number) => (values: readonly { lateMs: number }[]) =>
    values.map(({ lateMs }) => lateMs).toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
  const line = (name: string, share: number) => ({
    name,
    points: [...byTime]
      .toSorted(([a], [b]) => a - b)
      .map(([block, values]) => ({ minute: (block + 0.5) * everyMinutes, value: at(share)(values) })),
  })
  return [line('p50', 0.5), line('p99', 0.99)]
}

import type pg from 'pg'
import { logProgress } from '../log-progress.ts'
import { cpuBetween, readCpu, type Cpu } from '../measure/processes.ts'
import type { Options } from '../options.ts'
import { atMost, type Outcome } from '../results.ts'
import { startBenchStack, type BenchStack } from '../setup/bench-stack.ts'
import { channelIdOf, daysPerChannel, seedFigures } from '../setup/seed-figures.ts'
import { round } from '../stats.ts'

const batchSize = 200
const withinMs = 600_000

type Phase = { seconds: number; rowsPerSecond: number; cpu: Cpu }

/**
 * Old figures of posts: how many bytes they take before and after a worker has packed them, and how long that takes, compared with statements
 * that only keep the last row of each week and delete the others.
 */
export async function figures({ channels = 32_500, short }: Options): Promise<Outcome> {
  await using bench = await startBenchStack()
  const { stack, db } = bench
  const { workspaceId } = stack.info
  const rows = channels * daysPerChannel
  await stack.servers.worker?.stop()
  // Nothing is packed in the first week of an installation, in which another release could still run.
  await db.query(`update migration set applied_at = now() - interval '30 days'`)

  await seed(bench, channels)
  const before = await bytesOf(db, 'metric_day')
  const bare = await measure(bench, rows, () => foldByWeek(db, workspaceId, channels))
  const weekly = await bytesOf(db, 'bare_week')
  await db.query('drop table bare_week; truncate metric_day')

  await seed(bench, channels)
  const ours = await measureWorker(bench, rows)
  const after = await bytesOf(db, 'metric_history')

  const perChannel = (bytes: number) => Math.round(bytes / channels)
  const ratio = round(ours.seconds / bare.seconds)
  if (short) await db.query('truncate channel_metric cascade')
  return {
    figure:
      `figures: ${perChannel(before)} bytes of a channel become ${perChannel(after)} (the last row of each week alone: ${perChannel(weekly)}); ` +
      `${rows} rows are packed in ${ratio} times the time of bare SQL (${round(ours.seconds)} against ${round(bare.seconds)} s)`,
    goals: [
      atMost('bytes after packing against before', round(after / before), 0.2),
      atMost('time of packing against bare SQL', ratio, 3),
      // Depends less on other work of the machine.
      atMost(
        'processor time of PostgreSQL against bare SQL',
        round((ours.cpu['postgres'] ?? 0) / (bare.cpu['postgres'] ?? 0)),
        1.5,
      ),
    ],
    settings: { channels, rows, batchSize, fsync: true },
    data: { bytesPerChannel: { before: perChannel(before), after: perChannel(after), weekly: perChannel(weekly) }, ours, bare },
  }
}

async function seed({ db, stack }: BenchStack, channels: number): Promise<void> {
  logProgress(`storing the figures of ${channels} channels`)
  await seedFigures(db, { workspaceId: stack.info.workspaceId, channels })
  await db.query('vacuum analyze metric_day, channel_metric')
  await db.query('checkpoint')
}

async function bytesOf(db: pg.Pool, table: string): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>(`select pg_total_relation_size('${table}') as bytes`)
  return Number(rows[0]?.bytes)
}

async function measure({ stack }: BenchStack, rows: number, work: () => Promise<void>): Promise<Phase> {
  const pids = { postgres: stack.postgres.pid, worker: stack.servers.worker?.pid ?? 0 }
  const [cpuBefore, begin] = [readCpu(pids), performance.now()]
  await work()
  const seconds = (performance.now() - begin) / 1000
  return { seconds, rowsPerSecond: Math.round(rows / seconds), cpu: cpuBetween(cpuBefore, readCpu(pids)) }
}

/** Keeps the last row of each week and deletes the others, in batches as the worker does it. */
async function foldByWeek(db: pg.Pool, workspaceId: string, channels: number): Promise<void> {
  await db.query(`
    create table bare_week (like metric_day including all,
      foreign key (workspace_id, channel_id) references channel_metric (workspace_id, channel_id) on delete cascade)`)
  for (let from = 0; from < channels; from += batchSize) {
    const ids = Array.from({ length: Math.min(batchSize, channels - from) }, (_, at) => channelIdOf(from + at))
    await db.query(
      `with gone as (
         delete from metric_day where workspace_id = $1 and channel_id = any($2::text[]) returning *
       )
       insert into bare_week
       select distinct on (channel_id, date_trunc('week', day)) * from gone order by channel_id, date_trunc('week', day), day desc`,
      [workspaceId, ids],
    )
  }
}

/** The engine starts this chore every ten minutes; here its passes are enqueued at once, one after the other. */
async function measureWorker(bench: BenchStack, rows: number): Promise<Phase> {
  const { db, stack } = bench
  await stack.servers.worker?.restart()
  return measure(bench, rows, async () => {
    const endMs = performance.now() + withinMs
    while (await hasUnpacked(db)) {
      if (performance.now() > endMs) throw new Error('the worker did not pack the figures in time')
      await makePass(stack.info.restateIngressUrl)
    }
  })
}

async function makePass(engineUrl: string): Promise<void> {
  const body = JSON.stringify({ name: 'old figures', turn: 'bench' })
  const response = await fetch(`${engineUrl}/chorePass/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (!response.ok) throw new Error(`the engine answered ${response.status}: ${await response.text()}`)
}

async function hasUnpacked(db: pg.Pool): Promise<boolean> {
  const { rows } = await db.query('select from metric_day where day < current_date - 8 limit 1')
  return rows.length > 0
}

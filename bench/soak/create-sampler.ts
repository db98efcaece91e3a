import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { readCpu, type Cpu } from '../measure/processes.ts'
import { requestJson } from '../request-json.ts'
import type { BenchStack } from '../setup/bench-stack.ts'
import { keptTables, type Values } from './series.ts'

const run = promisify(execFile)

export type Sampler = { take(): Promise<{ values: Values; errors: string[] }> }

/** Reads everything that must not grow. A part that fails is left out of the sample and named: on a busy machine it may work next time. */
export function createSampler(bench: BenchStack): Sampler {
  const pids = pidsOf(bench)
  const readShare = createCpuShare(pids)
  const parts: Record<string, () => Promise<Values> | Values> = {
    memory: () => readMemory(pids),
    heaps: () => readHeaps(bench),
    disk: () => readDisk(bench),
    tables: () => readTables(bench.db),
    engine: () => readEngine(bench),
    processor: readShare,
  }
  return {
    async take() {
      const values: Values = {}
      const errors: string[] = []
      for (const [name, read] of Object.entries(parts)) {
        try {
          Object.assign(values, await read())
        } catch (error) {
          errors.push(`${name}: ${String(error)}`)
        }
      }
      return { values, errors }
    },
  }
}

function pidsOf({ stack }: BenchStack): Record<string, number> {
  return {
    api: stack.servers.api?.pid ?? 0,
    worker: stack.servers.worker?.pid ?? 0,
    postgres: stack.postgres.pid,
    engine: stack.restate.pid,
    simulator: stack.simulator.pid,
  }
}

/**
 * Memory of each process and its children. Of PostgreSQL, only what its processes have for themselves is judged: the buffers they share
 * fill up to their configured size, and are shown. The simulator keeps every post that it ever received, so it is only shown.
 */
function readMemory(pids: Record<string, number>): Values {
  const children = childrenByParent()
  const values: Values = {}
  for (const [name, pid] of Object.entries(pids)) {
    const all = [pid, ...(children.get(pid) ?? [])].map(readRollup)
    const sum = (field: 'pss' | 'anon') => all.reduce((total, each) => total + each[field], 0)
    if (name === 'postgres') {
      values['memory postgres private'] = sum('anon')
      values['shown postgres with shared buffers'] = sum('pss')
    } else values[name === 'simulator' ? 'shown simulator memory' : `memory ${name}`] = sum('pss')
    if (name === 'api' || name === 'worker') values[`open files ${name}`] = readdirSync(`/proc/${pid}/fd`).length
  }
  return values
}

function readRollup(pid: number): { pss: number; anon: number } {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024
    return { pss: bytes('Pss'), anon: bytes('Pss_Anon') }
  } catch {
    // It ended in this moment.
    return { pss: 0, anon: 0 }
  }
}

/** PostgreSQL's processes are children of the first one; decoders are children of the API. */
function childrenByParent(): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      found.set(parent, [...(found.get(parent) ?? []), Number(name)])
    } catch {
      // It ended in this moment.
    }
  }
  return found
}

/** What JavaScript uses. The lowest values in a time are what is left after garbage collections. */
async function readHeaps({ stack }: BenchStack): Promise<Values> {
  const values: Values = {}
  for (const role of ['api', 'worker'] as const) {
    const { healthUrl = '' } = stack.servers[role] ?? {}
    const text = await (await fetch(`${new URL(healthUrl).origin}/metrics`, { signal: AbortSignal.timeout(20_000) })).text()
    const heap = /^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1]
    if (heap !== undefined) values[`heap ${role}`] = Number(heap)
  }
  return values
}

async function readDisk({ stack }: BenchStack): Promise<Values> {
  const { dir } = stack.info
  const folders = {
    'disk database log': join(dir, 'postgres/data/pg_wal'),
    'disk engine': join(dir, 'restate/data'),
    'shown database folder': join(dir, 'postgres/data/base'),
    'disk media': join(dir, 'media'),
    'shown logs': join(dir, 'logs'),
  }
  const values: Values = {}
  for (const [name, folder] of Object.entries(folders)) values[name] = await sizeOf(folder)
  return values
}

async function sizeOf(folder: string): Promise<number> {
  // A file that is deleted while du reads the folder makes it end with an error, but the sum is still printed.
  const { stdout } = await run('du', ['-sb', folder]).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
  const [bytes = ''] = stdout.split('\t')
  if (bytes === '') throw new Error(`the size of ${folder} cannot be read`)
  return Number(bytes)
}

type TableRow = { name: string; bytes: string; dead: string }

async function readTables(db: pg.Pool): Promise<Values> {
  const { rows: tables } = await db.query<TableRow>(
    `select relname as name, pg_total_relation_size(relid) as bytes, n_dead_tup as dead from pg_stat_user_tables
     where schemaname = 'public' order by relname`,
  )
  const counts = await db.query<{ name: string; count: number }>(
    tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from "${name}"`).join(' union all '),
  )
  const countOf = new Map(counts.rows.map(({ name, count }) => [name, count]))
  const values: Values = {}
  let [dead, live] = [0, 0]
  for (const table of tables) {
    const [name, bytes, count] = [table.name, Number(table.bytes), countOf.get(table.name) ?? 0]
    dead += Number(table.dead)
    live += count
    if (keptTables.has(name)) {
      values[`kept rows ${name}`] = count
      // With few rows the empty part of the last page counts for much.
      if (count >= 1000) values[`bytes per row ${name}`] = bytes / count
    } else {
      values[`rows ${name}`] = count
      values[`bytes ${name}`] = bytes
    }
  }
  values['dead rows for each live row'] = dead / Math.max(1, live)
  values['shown dead rows'] = dead
  const { rows } = await db.query<{ size: string; connections: number }>(
    `select pg_database_size(current_database()) as size,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections`,
  )
  values['shown database size'] = Number(rows[0]?.size)
  values['database connections'] = rows[0]?.connections ?? 0
  return values
}

/** What the engine remembers: runs, and the steps in their journals. */
async function readEngine({ stack }: BenchStack): Promise<Values> {
  const count = async (table: string) => {
    const { rows } = await requestJson<{ rows: { count: number }[] }>(`${stack.info.restateAdminUrl}/query`, {
      body: { query: `select count(*) as count from ${table}` },
      headers: { accept: 'application/json' },
    })
    return rows[0]?.count ?? 0
  }
  return { 'engine runs': await count('sys_invocation'), 'engine journal entries': await count('sys_journal') }
}

/** The share of one core that each process used since the last sample. */
function createCpuShare(pids: Record<string, number>): () => Values {
  let last: { cpu: Cpu; atMs: number } = { cpu: readCpu(pids), atMs: performance.now() }
  return () => {
    const now = { cpu: readCpu(pids), atMs: performance.now() }
    const share = (name: string) => ((now.cpu[name] ?? 0) - (last.cpu[name] ?? 0)) / (now.atMs - last.atMs)
    const values: Values = { 'shown load of the machine': loadavg()[0] ?? 0 }
    for (const name of [...Object.keys(pids), 'bench', 'all']) values[`processor ${name}`] = share(name)
    values['processor of the service'] = ['api', 'worker', 'postgres', 'engine'].reduce((sum, name) => sum + share(name), 0)
    last = now
    return values
  }
}

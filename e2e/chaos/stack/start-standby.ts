import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand, startPostgres, type Postgres } from '@carillon/stack/services'
import pg from 'pg'

type StandbyOptions = {
  /** A synchronous standby has everything that was committed: a commit is answered only when the standby has it too. */
  isSynchronous?: boolean
  /** Where the standby reaches the primary, if there is a proxy in between. */
  primaryPort?: number
  port?: number
}

/** Copies the database and starts the copy as a standby. */
export async function startStandby(primary: Postgres, dir: string, options: StandbyOptions = {}): Promise<Postgres> {
  const { isSynchronous = true, primaryPort = primary.port, port } = options
  const standbyDir = join(dir, 'standby')
  const data = join(standbyDir, 'data')
  await primary.stop()
  await rm(standbyDir, { recursive: true, force: true })
  await mkdir(standbyDir, { recursive: true })
  await runCommand('cp', ['-a', join(dir, 'postgres', 'data'), data], { cwd: dir })
  await writeFile(join(data, 'standby.signal'), '')
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = 'host=127.0.0.1 port=${primaryPort} user=postgres'\n`)
  await primary.restart()
  const standby = await startPostgres({ dir: standbyDir, ...(port !== undefined && { port }) })
  if (!isSynchronous) return standby
  await query(primary, `alter system set synchronous_standby_names = '*'`)
  await query(primary, 'select pg_reload_conf()')
  return standby
}

/** Makes the standby the database, as after the primary was lost. It waits for no other standby. */
export async function promote(standby: Postgres): Promise<void> {
  await query(standby, `select pg_promote(true, 60)`)
  await query(standby, `alter system set synchronous_standby_names = ''`)
  await query(standby, 'select pg_reload_conf()')
}

async function query({ url }: Postgres, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

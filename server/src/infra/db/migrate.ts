import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../problem/problem.ts'
import { programFiles } from '../program/program-files.ts'
import { LimitedClient } from './connection-limits.ts'

const migrationsFolder = programFiles.migrations
/** Held while the schema, or the roles that it needs, are changed. */
export const migrationLock = 7_241_900

/** A change that waits for a lock makes every later query on the table wait too, so it gives up soon and tries again. */
const lockTimeoutMs = 3_000
const triesMax = 20
const betweenTriesMs = 2_000
const lockNotAvailable = '55P03'

/** The first line of a file whose statements run one by one, because PostgreSQL refuses them in a transaction. */
const noTransaction = '-- no transaction\n'

/** The line of a file that removes something: the release that stopped using it. Older releases do not start on such a database. */
const contractLine = /^-- contract: unused since (\d+\.\d+\.\d+)$/m

type Migration = { name: string; text: string; checksum: string }

/**
 * Applies the migrations that are missing, each file in a transaction unless its first line says otherwise. Several processes may call it at
 * once: one works, the others wait. A migration may take long, so this connection has no statement timeout. `only` names those to apply, if
 * not all.
 */
export async function migrate(url: string, folder: URL = migrationsFolder, only?: readonly string[]): Promise<string[]> {
  const client = new LimitedClient({ connectionString: url, application_name: 'carillon migrate', keepAlive: true })
  await client.connect()
  const applied: string[] = []
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(
      'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
    )
    await client.query(
      'alter table migration add column if not exists checksum text, add column if not exists oldest_release text',
    )
    const { rows } = await client.query<{ name: string; checksum: string | null }>('select name, checksum from migration')
    const done = new Map(rows.map(({ name, checksum }) => [name, checksum]))
    for (const migration of await readMigrations(folder)) {
      if (done.has(migration.name)) await compareChecksum(client, migration, done.get(migration.name) ?? null)
      else if (only?.includes(migration.name) ?? true) {
        await apply(client, migration)
        applied.push(migration.name)
      }
    }
    return applied
  } finally {
    await client.end()
  }
}

export async function listMigrations(folder: URL = migrationsFolder): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
}

/** The oldest release that works after this migration, or null if the one before does. */
export function findOldestRelease(text: string): string | null {
  return contractLine.exec(text)?.[1] ?? null
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  return Promise.all(
    (await listMigrations(folder)).map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** A file that was changed after it ran would leave this database different from a new one. Null: it ran before checksums were stored. */
async function compareChecksum(client: pg.Client, { name, checksum }: Migration, stored: string | null): Promise<void> {
  if (stored === null) await client.query('update migration set checksum = $2 where name = $1', [name, checksum])
  else if (stored !== checksum)
    throw new StartError(
      `The migration ${name} was changed after this database had run it. Install a release of Carillon as it was published; a change ` +
        'of the schema needs a new file.',
    )
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(`set lock_timeout = ${lockTimeoutMs}`)
  for (let tries = 1; ; tries++) {
    try {
      await (migration.text.startsWith(noTransaction) ? runOneByOne(client, migration) : runInTransaction(client, migration))
      return
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== lockNotAvailable) throw error
      if (tries === triesMax)
        throw new StartError(
          `The migration ${migration.name} did not get a lock on its table in ${triesMax} tries, because other sessions use it. ` +
            'Nothing was changed. End long transactions (see pg_stat_activity) and run "carillon migrate" again.',
        )
      await sleep(betweenTriesMs)
    }
  }
}

async function runInTransaction(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(migration.text)
    await insertMigration(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Such a file can be run again from its beginning, because it may have ended in the middle. */
async function runOneByOne(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of migration.text.split(/;\n/).filter((part) => part.trim() !== '')) await client.query(statement)
  await insertMigration(client, migration)
}

async function insertMigration(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  const values = [name, checksum, findOldestRelease(text)]
  await client.query('insert into migration (name, checksum, oldest_release) values ($1, $2, $3)', values)
}

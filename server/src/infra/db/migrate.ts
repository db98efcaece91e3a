import { readdir, readFile } from 'node:fs/promises'
import { programFiles } from '../program/program-files.ts'
import { LimitedClient } from './connection-limits.ts'

const folder = programFiles.migrations
/** Held while the schema, or the roles that it needs, are changed. */
export const migrationLock = 7_241_900

/**
 * Applies the migrations that are missing, each file in a transaction. Several processes may call it at once: one works, the others wait.
 * A migration may take long, so this connection has no statement timeout.
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new LimitedClient({ connectionString: url, application_name: 'carillon migrate', keepAlive: true })
  await client.connect()
  const applied: string[] = []
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(
      'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const done = new Set(rows.map((row) => row.name))
    for (const name of (await listMigrations()).filter((file) => !done.has(file))) {
      await client.query('begin')
      await client.query(await readFile(new URL(name, folder), 'utf8'))
      await client.query('insert into migration (name) values ($1)', [name])
      await client.query('commit')
      applied.push(name)
    }
    return applied
  } finally {
    await client.end()
  }
}

export async function listMigrations(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
}

import { sql } from 'kysely'
import type { Db } from './db.ts'
import { listMigrations } from './migrate.ts'

/** The migrations that the database lacks. A process that cannot migrate must not start before another one did. */
export async function findMissingMigrations(system: Db): Promise<string[]> {
  const applied = await system.selectFrom('migration').select('name').execute()
  const done = new Set(applied.map(({ name }) => name))
  return (await listMigrations()).filter((name) => !done.has(name))
}

/** A migration that removed something, and the oldest release that works without it. */
export type Contract = { name: string; oldestRelease: string }

export async function findContracts(system: Db): Promise<Contract[]> {
  // The column is missing in a database that only earlier releases have migrated.
  const { rows } = await sql<Contract>`
    select name, oldest_release as "oldestRelease"
    from (select name, to_jsonb(migration) ->> 'oldest_release' as oldest_release from migration) as applied
    where oldest_release is not null
    order by name`.execute(system)
  return rows
}

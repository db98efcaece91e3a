import type { Db } from './db.ts'
import { listMigrations } from './migrate.ts'

/** The migrations that the database lacks. A process that cannot migrate must not start before another one did. */
export async function findMissingMigrations(system: Db): Promise<string[]> {
  const applied = await system.selectFrom('migration').select('name').execute()
  const done = new Set(applied.map(({ name }) => name))
  return (await listMigrations()).filter((name) => !done.has(name))
}

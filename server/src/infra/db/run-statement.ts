import { CompiledQuery } from 'kysely'
import type { Db, Tx } from './db.ts'

/**
 * Runs a statement whose text is fixed. For every new post, building the query would take longer than PostgreSQL takes to run it; elsewhere
 * the types of the query builder are worth more.
 */
export async function runStatement<Row>(db: Db | Tx, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return rows
}

/** Placeholders for `count` values, for example `$4, $5, $6` from 4. */
export function places(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => `$${from + at}`).join(', ')
}

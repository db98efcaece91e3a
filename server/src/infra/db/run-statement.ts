import { CompiledQuery } from 'kysely'
import type { Db, Tx } from './db.ts'

/**
 * Runs a statement whose text is fixed. On the way of every new post the query builder would take longer than PostgreSQL does; elsewhere
 * its types are worth more.
 */
export async function runStatement<Row>(db: Db | Tx, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return rows
}

/** `$4, $5, $6`: that many places from that number on. */
export function places(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => `$${from + at}`).join(', ')
}

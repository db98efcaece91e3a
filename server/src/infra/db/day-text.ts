import { sql, type RawBuilder } from 'kysely'

/** A `date` column as `YYYY-MM-DD`. Without it, the driver makes an instant of it in the time zone of the process. */
export function dayText<T extends string | null = string>(column: string): RawBuilder<T> {
  return sql<T>`to_char(${sql.ref(column)}, 'YYYY-MM-DD')`
}

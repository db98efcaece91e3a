import type { ColumnType, Generated } from 'kysely'

export type Json<T> = ColumnType<T, string, string>
export type Instant = ColumnType<Date, Date | string, Date | string>
export type MaybeInstant = ColumnType<Date | null, Date | string | null, Date | string | null>

/** What a client remembers about a record: the id in its own system, and pairs of its own. */
export type ExternalColumns = {
  external_id: Generated<string | null>
  metadata: ColumnType<Record<string, string>, string | undefined, string>
}

import type { ColumnType } from 'kysely'

export type Json<T> = ColumnType<T, string, string>
export type Instant = ColumnType<Date, Date | string, Date | string>
export type MaybeInstant = ColumnType<Date | null, Date | string | null, Date | string | null>

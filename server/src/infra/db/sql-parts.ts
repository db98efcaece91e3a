import { type RawBuilder, sql } from 'kysely'

/**
 * Does a column contain this text, whatever the case of its letters? `ilike` follows the locale of the database, and under `C` it does not
 * know that "Ä" and "ä" are the same letter. The function `fold_case` knows all of Unicode.
 */
export function containsText(column: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`fold_case(${sql.ref(column)}) like fold_case(${likePattern(text)})`
}

/** The pattern for LIKE that matches every text with this one in it. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** A `date` column as `YYYY-MM-DD`. Without it, the driver makes an instant of it in the time zone of the process. */
export function dayText<T extends string | null = string>(column: string): RawBuilder<T> {
  return sql<T>`to_char(${sql.ref(column)}, 'YYYY-MM-DD')`
}

/**
 * Ids as one parameter of type text[]. Ids consist of letters, digits, - and _, so no escaping is needed. The driver would escape each of
 * them, which takes longer than the statement itself.
 */
export function idArray<T>(rows: readonly T[], idOf: (row: T) => string): string {
  return `{${rows.map(idOf).join(',')}}`
}

/** The name of the parameter with which a link names its cell to a router. */
export const cellParameter = 'cell'

/** What a link in a mail needs at its end, because a browser that has never been here has no cookie that names the cell. */
export function cellQuery({ cell }: { cell: number }): string {
  return cell === 0 ? '' : `&${cellParameter}=${cell}`
}

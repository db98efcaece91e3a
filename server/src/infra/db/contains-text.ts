import { sql, type RawBuilder } from 'kysely'

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

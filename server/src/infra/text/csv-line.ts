/** One line of RFC 4180. Null becomes an empty cell. Text that a spreadsheet would treat as a formula gets an apostrophe in front. */
export function formatCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

/** What a cell said before `formatCsvLine` put an apostrophe in front of it. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && startsFormula(cell.slice(1)) ? cell.slice(1) : cell
}

function formatCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = startsFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Some spreadsheets also accept a formula after spaces or with full-width characters. Apostrophes before it are looked through, so that a text
 * that has one of its own gets a second, and comes back as it was.
 */
function startsFormula(text: string): boolean {
  return /^'*[\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(text) || /^'*[\t\r\n]/.test(text)
}

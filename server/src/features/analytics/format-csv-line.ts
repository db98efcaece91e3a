/** One line of RFC 4180. Null becomes an empty cell. Text that a spreadsheet would treat as a formula gets an apostrophe in front. */
export function formatCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = startsFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/** Some spreadsheets also accept a formula after spaces or with full-width characters. */
function startsFormula(text: string): boolean {
  return /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text)
}

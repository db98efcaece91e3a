/** One line of RFC 4180. Null is an empty cell, numbers are themselves, and no text can be taken for a formula by a spreadsheet. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = startsFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/** Also after blanks and in full width, as some spreadsheets take it. */
function startsFormula(text: string): boolean {
  return /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text)
}

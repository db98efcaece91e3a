import type { Terminal } from '../terminal.ts'

/** A cell with a colour. The text must be clean. */
export type Cell = string | { text: string; color: Color }
export type Color = 'green' | 'red' | 'yellow' | 'dim'

const codes: Readonly<Record<Color, number>> = { green: 32, red: 31, yellow: 33, dim: 2 }
const gap = '  '

/** Characters that fill two columns of a terminal. */
const wide = /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uFF01-\uFF60]/u
const isCombining = /^(?:\p{M}|\p{Join_Control})$/u

/** Rows below a heading. On a terminal the last column is cut to its width; a program gets all of it. */
export function printTable(
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
  { hasColor, columns }: Pick<Terminal, 'hasColor' | 'columns'>,
): string {
  const widths = heading.map((title, at) => Math.max(widthOf(title), ...rows.map((row) => widthOf(textOf(row[at] ?? '')))))
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + gap.length, 0)
  const lastMax = columns === null ? Infinity : Math.max(10, columns - before)
  const lines = [heading.map((title): Cell => ({ text: title, color: 'dim' })), ...rows].map((row) =>
    row
      .map((cell, at) => {
        const isLast = at === row.length - 1
        const text = isLast ? cutTo(textOf(cell), lastMax) : padTo(textOf(cell), widths[at] ?? 0)
        return typeof cell === 'string' ? text : paint(text, cell.color, hasColor)
      })
      .join(gap)
      .trimEnd(),
  )
  return lines.join('\n')
}

export function paint(text: string, color: Color, hasColor: boolean): string {
  return hasColor ? `\u001B[${codes[color]}m${text}\u001B[0m` : text
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text
}

function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += widthOfCharacter(character)
  return width
}

function widthOfCharacter(character: string): number {
  if (isCombining.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

function cutTo(text: string, max: number): string {
  if (widthOf(text) <= max) return text
  let cut = ''
  let width = 0
  for (const character of text) {
    width += widthOfCharacter(character)
    if (width > max - 1) break
    cut += character
  }
  return `${cut}…`
}

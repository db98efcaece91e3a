/** Control and format characters, such as those that turn the direction of what follows. Line breaks, tabs and the joiner of emoji stay. */
const invisible = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** What a stranger wrote, as plain text: without invisible characters, with at most one empty line between two others, and cut. */
export function cleanNote(text: string, lengthMax = 2000): string {
  const plain = text
    .slice(0, lengthMax * 4)
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(invisible, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return cut(plain, lengthMax)
}

const nameLengthMax = 60

/** The name that a stranger gives: one line. */
export function cleanClientName(name: string): string {
  const line = name
    .slice(0, nameLengthMax * 10)
    .toWellFormed()
    .replaceAll(invisible, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return cut(line, nameLengthMax)
}

/** By UTF-16 units, as the API counts, and never within a character. */
function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '')
}

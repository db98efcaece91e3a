const reserved = new Set('|{}@[]()<>#*_~')
const elements = [
  // @[Exact Name](urn:li:organization:123)
  { pattern: /@\[((?:[^\]\\]|\\.)+)\]\(urn:li:(?:person|organization):[\w-]+\)/y, show: (name: string) => plain(name) },
  // {hashtag|\#|word}
  { pattern: /\{hashtag\|\\?[#＃]\|((?:[^}\\]|\\.)+)\}/y, show: (word: string) => `#${plain(word)}` },
  // #word
  { pattern: /#([\p{L}\p{N}]+)/uy, show: (word: string) => `#${word}` },
]

/**
 * The text that readers of a post see. Reserved characters are literal only after a backslash. An unescaped one that is not part of an
 * element truncates the text, as users of the API report.
 */
export function showLittleText(commentary: string): string {
  let shown = ''
  for (let at = 0; at < commentary.length;) {
    const character = commentary[at] ?? ''
    const element = reserved.has(character) ? readElement(commentary, at) : undefined
    if (element) {
      shown += element.shown
      at = element.end
    } else if (reserved.has(character)) return shown
    else {
      const isEscape = character === '\\' && at + 1 < commentary.length
      shown += isEscape ? (commentary[at + 1] ?? '') : character
      at += isEscape ? 2 : 1
    }
  }
  return shown
}

function readElement(commentary: string, at: number): { shown: string; end: number } | undefined {
  for (const { pattern, show } of elements) {
    pattern.lastIndex = at
    const found = pattern.exec(commentary)
    if (found) return { shown: show(found[1] ?? ''), end: pattern.lastIndex }
  }
  return undefined
}

function plain(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1')
}

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
 * What people see of a commentary. Reserved characters stand for themselves only behind a backslash; a bare one that belongs to no element
 * cuts the text short, which is the mangling people report.
 */
export function showLittleText(commentary: string): string {
  let shown = ''
  for (let at = 0; at < commentary.length;) {
    const sign = commentary[at] ?? ''
    const element = reserved.has(sign) ? readElement(commentary, at) : undefined
    if (element) {
      shown += element.shown
      at = element.end
    } else if (reserved.has(sign)) return shown
    else {
      const isEscape = sign === '\\' && at + 1 < commentary.length
      shown += isEscape ? (commentary[at + 1] ?? '') : sign
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

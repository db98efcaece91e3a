import { Parser } from 'htmlparser2'

const blocks = new Set(['p', 'div', 'li', 'ul', 'ol', 'h1', 'h2', 'h3'])

/** The text of a post that an editor stored as HTML: a line for each paragraph. A text without tags stays as it is. */
export function readHtml(html: string): string {
  if (!/<[a-z]|&[a-z#]/i.test(html)) return html.trim()
  let text = ''
  const breakLine = () => {
    if (text !== '' && !text.endsWith('\n')) text += '\n'
  }
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === 'br') text += '\n'
        else if (blocks.has(name)) breakLine()
      },
      ontext(part) {
        text += part
      },
      onclosetag(name) {
        if (blocks.has(name)) breakLine()
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return text.replaceAll('\u00a0', ' ').trim()
}

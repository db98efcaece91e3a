import type { Post } from '@carillon/sdk'

const lengthMax = 80

/** The title of a post, or the beginning of its text. */
export function excerptOf({ title, text }: Pick<Post, 'title' | 'text'>, untitled: string): string {
  const line = (title || text || '').trim().split('\n')[0] ?? ''
  const characters = [...line]
  if (characters.length === 0) return untitled
  return characters.length > lengthMax ? `${cutAtWord(characters.slice(0, lengthMax).join(''))}…` : line
}

/** Without the word at the end that was cut, unless that is most of the line. */
function cutAtWord(text: string): string {
  const at = text.lastIndexOf(' ')
  return at > lengthMax / 2
    ? text
        .slice(0, at)
        .trimEnd()
        .replace(/[:;,]$/, '')
    : text.trimEnd()
}

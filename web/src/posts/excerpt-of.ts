import type { Post } from '@carillon/sdk'

const lengthMax = 80

/** The title of a post, or the beginning of its text. */
export function excerptOf({ title, text }: Pick<Post, 'title' | 'text'>, untitled: string): string {
  const line = (title || text || '').trim().split('\n')[0] ?? ''
  const characters = [...line]
  if (characters.length === 0) return untitled
  return characters.length > lengthMax ? `${characters.slice(0, lengthMax).join('').trimEnd()}…` : line
}

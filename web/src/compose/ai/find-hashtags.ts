const hashtag = /(?<![^\s(])#[\p{L}\p{N}_]+/gu

/** The hashtags of a text, each with its `#`. */
export function findHashtags(text: string): string[] {
  return [...new Set(text.match(hashtag))]
}

/** Adds hashtags to the last line if that consists of hashtags, otherwise below the text. */
export function addHashtags(text: string, tags: readonly string[]): string {
  const known = new Set(findHashtags(text).map((tag) => tag.toLowerCase()))
  const added = tags.filter((tag) => !known.has(tag.toLowerCase())).join(' ')
  const before = text.trimEnd()
  if (added === '' || before === '') return added || text
  const lastLine = before.split('\n').at(-1) ?? ''
  const isLineOfTags = lastLine.split(' ').every((word) => word.startsWith('#'))
  return `${before}${isLineOfTags ? ' ' : '\n\n'}${added}`
}

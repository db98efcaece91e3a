import { isFields, textOf, type Fields } from '../../http/fields.ts'
import type { Description } from '../../platform.ts'

/** The title belongs to a document or a video; an article is a link card with its own. */
export function describePost({ content, visibility }: Fields): Description {
  const { media, article } = isFields(content) ? content : {}
  const card: Fields = isFields(article) ? article : {}
  const url = textOf(card['source'])
  const texts = { title: textOf(card['title']), description: textOf(card['description']) }
  return {
    title: isFields(media) ? textOf(media['title']) : undefined,
    visibility: textOf(visibility),
    link: url === undefined ? undefined : { url, ...texts, picture: textOf(card['thumbnail']) },
    hidden: ['author', 'commentary', 'visibility', 'lifecycleState', 'content.media', 'content.multiImage', 'content.article'],
  }
}

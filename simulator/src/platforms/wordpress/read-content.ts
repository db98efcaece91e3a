import type { PlatformContext } from '../../state/platform-context.ts'
import type { Media } from '../../state/entities.ts'
import { attributeOf, plainText } from '../../text/read-html.ts'

const shortcode = /\[\/?(?:gallery|caption|audio|video|playlist|embed)\b[^\]]*\]/g
/** A picture, a video, or the link of a file block. */
const file = /<(?:img|video)\b[^>]*>|<div class="wp-block-file">\s*<a\b[^>]*>[\s\S]*?<\/a>/g

/** What people see of the content of a post: the text of its paragraphs. WordPress carries out what it knows as a shortcode. */
export function textOfContent(content: string): string {
  const paragraphs = [...content.matchAll(/<p(?:\s[^>]*)?>([\s\S]*?)<\/p>/g)].map(([, inner = '']) => inner)
  return (paragraphs.length > 0 ? paragraphs : [content]).map((each) => plainText(each.replaceAll(shortcode, ''))).join('\n\n')
}

/** The files of the library that the content shows, with the words that the content itself has for them. */
export function filesOfContent(context: PlatformContext, content: string): Media[] {
  return [...content.matchAll(file)].flatMap(([tag]) => {
    const id = attributeOf(tag, 'src') ?? attributeOf(tag, 'href')
    const media = context.simulator.media.find(context.name, id?.split('/').at(-1) ?? '')
    if (!media) return []
    const isFile = tag.startsWith('<div')
    return [{ ...media, alt: isFile ? plainText(tag) : (attributeOf(tag, 'alt') ?? '') }]
  })
}

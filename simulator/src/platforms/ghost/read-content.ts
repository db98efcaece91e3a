import type { Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { attributeOf, plainText } from '../../text/read-html.ts'

/** What Ghost makes cards of: figures with pictures or a video, and the box of a file. All else that is not text is dropped. */
const card = /<figure\b[^>]*>[\s\S]*?<\/figure>|<div class="kg-card kg-file-card">[\s\S]*?<\/div>\s*<\/a>\s*<\/div>/g
const picture = /<img\b[^>]*>/g

/** What people see of the text of a post. */
export function textOfContent(content: string): string {
  const paragraphs = [...content.replaceAll(card, '').matchAll(/<p(?:\s[^>]*)?>([\s\S]*?)<\/p>/g)]
  return paragraphs.map(([, inner = '']) => plainText(inner)).join('\n\n')
}

export function filesOfContent(context: PlatformContext, content: string): Media[] {
  return [...content.matchAll(card)].flatMap(([html]) => filesOfCard(context, html))
}

function filesOfCard(context: PlatformContext, html: string): Media[] {
  if (html.startsWith('<div')) {
    const title = /class="kg-file-card-title">([^<]*)</.exec(html)?.[1] ?? ''
    return fileAt(context, /<a\b[^>]*>/.exec(html)?.[0] ?? '', 'href', plainText(title))
  }
  if (/^<figure[^>]*kg-video-card/.test(html)) {
    const video = /<div class="kg-video-container">\s*(<video\b[^>]*>)/.exec(html)?.[1]
    return video === undefined ? [] : fileAt(context, video, 'src', '')
  }
  const isGallery = /^<figure[^>]*kg-gallery-card/.test(html)
  return [...html.matchAll(picture)].flatMap(([tag]) => {
    // A gallery leaves out pictures whose size is not told.
    const isSized = Number(attributeOf(tag, 'width')) > 0 && Number(attributeOf(tag, 'height')) > 0
    return isGallery && !isSized ? [] : fileAt(context, tag, 'src', attributeOf(tag, 'alt') ?? '')
  })
}

function fileAt(context: PlatformContext, tag: string, attribute: 'src' | 'href', alt: string): Media[] {
  const media = context.simulator.media.find(context.name, attributeOf(tag, attribute)?.split('/').at(-1) ?? '')
  return media ? [{ ...media, alt }] : []
}

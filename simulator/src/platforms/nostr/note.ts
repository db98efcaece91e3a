import type { Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { Event } from './event.ts'

/** Apps show the files of a note below it, and their addresses are no part of the text then. */
export function textOfNote(event: Event): string {
  let text = event.content
  for (const { url } of filesOf(event).toReversed()) if (text.endsWith(url)) text = text.slice(0, -url.length).trimEnd()
  return text
}

/** Notes have no length of their own; a relay counts bytes. */
export function countText(text: string): number {
  return Buffer.byteLength(text)
}

export function mediaOf(context: PlatformContext, event: Event): Media[] {
  return filesOf(event).flatMap(({ url, alt }) => {
    const media = context.simulator.media.find(context.name, url.split('/').at(-1) ?? '')
    return media ? [{ ...media, alt }] : []
  })
}

/** NIP-92: one tag for each file, each part of it a name and a value. */
function filesOf({ tags, content }: Event): { url: string; alt: string }[] {
  return tags.flatMap(([name, ...parts]) => {
    const fields = new Map(parts.map((part) => [part.split(' ')[0], part.slice(part.indexOf(' ') + 1)]))
    const url = fields.get('url')
    // A tag about an address that is not in the text says nothing.
    return name === 'imeta' && url !== undefined && content.includes(url) ? [{ url, alt: fields.get('alt') ?? '' }] : []
  })
}

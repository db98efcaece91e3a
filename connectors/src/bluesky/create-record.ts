import type { Static } from 'typebox'
import type { Draft, Media } from '../kit/connector.ts'
import { findFacets } from './find-facets.ts'
import { collection } from './stage.ts'
import type { StagedPost } from './wire.ts'

type Settings = { language?: string }

/** Creates the record of a post. */
export function createRecord(
  draft: Draft<Settings>,
  staged: Static<typeof StagedPost>,
  sentAtMs: number,
): Record<string, unknown> {
  const facets = findFacets(draft.text, staged.mentions)
  const embed = embedOf(draft, staged.blobs)
  const { language } = draft.settings
  return {
    $type: collection,
    text: draft.text,
    createdAt: new Date(sentAtMs).toISOString(),
    ...(facets.length > 0 && { facets }),
    ...(language && { langs: [language] }),
    ...(staged.reply && { reply: staged.reply }),
    ...(embed && { embed }),
  }
}

/** A post has one embed. If it has media, there is no link card, and `submit` reports that the link was left out. */
function embedOf({ media, linkUrl, title }: Draft<Settings>, blobs: readonly unknown[]): Record<string, unknown> | null {
  const [first] = media
  if (first?.kind === 'video') {
    return { $type: 'app.bsky.embed.video', video: blobs[0], ...(first.alt && { alt: first.alt }), ...aspectRatioOf(first) }
  }
  if (first) {
    const images = media.map((image, index) => ({ image: blobs[index], alt: image.alt, ...aspectRatioOf(image) }))
    return { $type: 'app.bsky.embed.images', images }
  }
  if (linkUrl === null) return null
  return { $type: 'app.bsky.embed.external', external: { uri: linkUrl, title: title ?? new URL(linkUrl).host, description: '' } }
}

function aspectRatioOf({ width, height }: Media) {
  return width && height ? { aspectRatio: { width, height } } : {}
}

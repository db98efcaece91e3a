import type { Static } from 'typebox'
import type { Draft, Media } from '../kit/connector.ts'
import { bareCard } from '../kit/link-card.ts'
import { findFacets } from './find-facets.ts'
import { collection } from './stage.ts'
import type { StagedPost } from './wire.ts'

/** More images than this are a gallery. Every app shows a list of images, so it stays for posts that fit into one. */
const imagesMax = 4

type Settings = { language?: string }

/** Creates the record of a post. */
export function createRecord(
  draft: Draft<Settings>,
  staged: Static<typeof StagedPost>,
  sentAtMs: number,
): Record<string, unknown> {
  const facets = findFacets(draft.text, staged.mentions)
  const embed = embedOf(draft, staged)
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
function embedOf(draft: Draft<Settings>, { blobs, card }: Static<typeof StagedPost>): Record<string, unknown> | null {
  const { media, linkUrl } = draft
  const [first] = media
  if (first?.kind === 'video') {
    return { $type: 'app.bsky.embed.video', video: blobs[0], ...(first.alt && { alt: first.alt }), ...aspectRatioOf(first) }
  }
  if (first) {
    const images = media.map((image, index) => ({ image: blobs[index], alt: image.alt, ...aspectRatioOf(image) }))
    return images.length > imagesMax ? galleryOf(images) : { $type: 'app.bsky.embed.images', images }
  }
  if (linkUrl === null) return null
  const { title, description, thumb } = card ?? bareCard(draft)
  return { $type: 'app.bsky.embed.external', external: { uri: linkUrl, title, description, ...(thumb !== null && { thumb }) } }
}

/** Unlike the older list of images, a gallery does without no item's shape. One that is not known is shown as a square. */
function galleryOf(images: readonly Record<string, unknown>[]): Record<string, unknown> {
  const items = images.map((image) => ({ $type: 'app.bsky.embed.gallery#image', aspectRatio: { width: 1, height: 1 }, ...image }))
  return { $type: 'app.bsky.embed.gallery', items }
}

function aspectRatioOf({ width, height }: Media) {
  return width && height ? { aspectRatio: { width, height } } : {}
}

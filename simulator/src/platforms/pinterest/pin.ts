import { type Fields, textOf } from '../../http/fields.ts'
import type { Post } from '../../state/entities.ts'

export type Pin = Post & {
  boardId: string
  sectionId: string | null
  title: string
  link: string | null
  alt: string
  kind: 'image' | 'multiple_images' | 'video'
}

/** Times have no zone, and are those of UTC. */
const timeOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 19)

export function viewPin(pin: Pin, withMetrics: boolean) {
  const { likes = 0, comments = 0, impressions = 0, clicks = 0 } = pin.figures ?? {}
  const last = { pin_click: clicks, impression: impressions, clickthrough: clicks }
  return {
    id: pin.id,
    created_at: timeOf(pin.atMs),
    link: pin.link,
    title: pin.title === '' ? null : pin.title,
    description: pin.text,
    dominant_color: '#6e7874',
    alt_text: pin.alt === '' ? null : pin.alt,
    creative_type: { image: 'REGULAR', multiple_images: 'CAROUSEL', video: 'VIDEO' }[pin.kind],
    board_id: pin.boardId,
    board_section_id: pin.sectionId,
    board_owner: { username: pin.account.handle },
    is_owner: true,
    is_standard: true,
    has_been_promoted: false,
    media: { media_type: pin.kind, ...(pin.kind === 'video' && { duration: null, height: null, width: null }) },
    parent_pin_id: null,
    pin_metrics: withMetrics ? { '90d': last, lifetime_metrics: { ...last, reaction: likes, comment: comments } } : null,
  }
}

export const describePin = ({ title, link, board_id: board }: Fields) => ({
  title: textOf(title),
  visibility: textOf(board),
  link: textOf(link) === undefined ? undefined : { url: textOf(link) ?? '', title: undefined, description: undefined },
  hidden: ['title', 'link', 'description', 'board_id', 'media_source.data', 'media_source.items', 'media_source.media_id'],
})

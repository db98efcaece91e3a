import { writeWarning, type Manifest } from '@carillon/contract'
import { Type, type Static } from 'typebox'
import type { Draft, Media } from './connector.ts'
import { cutText } from './cut-text.ts'
import { PlatformError } from './platform-error.ts'

/** A card as it is stored with the channel, ready to be sent. `thumb` is whatever the platform calls the uploaded picture. */
export const StagedCard = Type.Object({
  title: Type.String(),
  description: Type.String(),
  thumb: Type.Unknown(),
  lost: Type.Union([Type.Literal('page'), Type.Literal('picture'), Type.Null()]),
})
export type StagedCard = Static<typeof StagedCard>

type CardDraft = Pick<Draft<unknown>, 'title' | 'linkUrl' | 'card' | 'media' | 'replyTo'>

/** Whether the post will show a card: no platform here has both files and a card. */
function showsCard({ linkUrl, media, replyTo }: CardDraft): boolean {
  return linkUrl !== null && media.length === 0 && replyTo === null
}

/** Fits the card to the platform and uploads its picture. Null if the post has none. A picture that is refused does not fail the post. */
export async function stageCard(
  draft: CardDraft,
  { linkCard }: Pick<Manifest, 'linkCard'>,
  upload: (picture: Media) => Promise<unknown>,
): Promise<StagedCard | null> {
  if (!showsCard(draft)) return null
  const bare = bareCard(draft)
  const { card } = draft
  if (!card || card.lost === 'page') return bare
  const texts = {
    title: shorten(draft.title || card.title || bare.title, linkCard?.titleMax ?? null),
    description: shorten(card.description ?? '', linkCard?.descriptionMax ?? null),
  }
  if (!card.picture) return { ...texts, thumb: null, lost: card.lost }
  try {
    return { ...texts, thumb: await upload(card.picture), lost: null }
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'rejected' && !error.isTemporary)
      return { ...texts, thumb: null, lost: 'picture' }
    throw error
  }
}

/** The card of a post that was staged before there were cards, or of a page that cannot be read: its address. */
export function bareCard({ title, linkUrl }: Pick<Draft, 'title' | 'linkUrl'>): StagedCard {
  return { title: title || (URL.parse(linkUrl ?? '')?.host ?? ''), description: '', thumb: null, lost: 'page' }
}

/** What a person is told about the card. */
export function cardWarnings(card: StagedCard | null, { name: platform }: Pick<Manifest, 'name'>): string[] {
  if (card?.lost === 'page') return [writeWarning('link_card_bare', { platform })]
  if (card?.lost === 'picture') return [writeWarning('link_card_without_picture', { platform })]
  return []
}

function shorten(text: string, max: number | null): string {
  return max === null || text.length <= max ? text : `${cutText(text, max - 1).trimEnd()}…`
}

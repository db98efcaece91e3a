import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Sent } from '../kit/connector.ts'
import { isOfShape } from '../kit/is-of-shape.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { foundInListing, isPastWindow, searchListing } from '../kit/search-listing.ts'
import { findPlace } from './boards.ts'
import type { Settings } from './settings.ts'
import { type ListedPin, Pins, StagedPin } from './wire.ts'

/** A pin may take several kilobytes. */
const pageSize = 100

export const pinUrl = (id: string) => `https://www.pinterest.com/pin/${id}/`

/** Pinterest keeps nothing of ours with a pin, so the pins of the board are compared. */
export async function findPin(client: Client, sent: Sent<Settings>): Promise<Found> {
  const place = isOfShape(StagedPin, sent.staged) ? sent.staged : await placeOf(client, sent.draft.settings)
  if (place === null) return { state: 'unknown' }
  const search = await searchListing(
    sent,
    async (bookmark) => {
      const query = { page_size: String(pageSize), bookmark: bookmark ?? undefined }
      const { items, bookmark: next } = await client.http.call({
        method: 'GET',
        path: `/v5/boards/${place.boardId}/pins`,
        query,
        returns: Pins,
      })
      const posts = items.map((pin) => ({
        id: pin.id,
        url: pinUrl(pin.id),
        createdAtMs: readTime(pin.created_at),
        compare: () => comparePin(sent.draft, place.sectionId, pin),
      }))
      return { posts, next: next && !isPastWindow(posts, { pageSize, fromMs: sent.window.fromMs }) ? next : null }
    },
    // The order is documented nowhere.
    { isNewestFirst: false },
  )
  return foundInListing(search)
}

/** A board that was renamed or deleted since then has no list that could be read. */
async function placeOf(client: Client, settings: Settings) {
  try {
    return await findPlace(client, settings)
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'rejected') return null
    throw error
  }
}

/** The time is that of UTC, with or without a zone. */
function readTime(text: string | null | undefined): number | null {
  if (!text) return null
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
}

const mediaTypes: Readonly<Record<string, string>> = { photo: 'image', photo_carousel: 'multiple_images', video: 'video' }

function comparePin(draft: Draft<Settings>, sectionId: string | null, pin: ListedPin): Match {
  const kind = pin.media?.media_type
  if (kind && kind !== mediaTypes[draft.format]) return 'other'
  if ((pin.board_section_id ?? null) !== sectionId) return 'other'
  const [title, text] = [pin.title ?? '', pin.description ?? '']
  const sameTitle = (draft.title ?? '').trim() === title.trim()
  if (!sameTitle && compareText(draft.title ?? '', title) !== 'same') return 'other'
  const words = draft.text.trim() === '' && text.trim() === '' && title.trim() !== '' ? 'same' : compareText(draft.text, text)
  if (words === 'other') return 'other'
  return (pin.link ?? null) === draft.linkUrl ? words : 'maybe'
}

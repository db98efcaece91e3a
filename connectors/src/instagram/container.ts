import type { Static } from 'typebox'
import type { Client, Draft, Media } from '../kit/connector.ts'
import { getMediaUrl } from '../kit/read-media.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { awaitFinished, readStateIfShown } from '../meta/await-finished.ts'
import { checkWaitsMs } from '../meta/check-waits-ms.ts'
import { because, notPublishable, refusedContainer } from './errors.ts'
import { Container, CreatedObject } from './wire.ts'

/** A person in the picture. `photo` is the number of the file; `x` and `y` are shares of its width and height from the top left. */
type UserTag = { username: string; photo?: number; x?: number; y?: number }

export type Settings = {
  shareToFeed: boolean
  coverSeconds?: number
  coverUrl?: string
  collaborators?: string[]
  userTags?: UserTag[]
  locationId?: string
  aiGenerated: boolean
}
type Fields = Record<string, string | undefined>

/** Creates the container of a post. It is invisible until published and expires after a day. `find` reads its state by its id. */
export async function createContainer(client: Client, draft: Draft<Settings>): Promise<string> {
  const [first, ...others] = draft.media
  if (!first) {
    throw new PlatformError({ kind: 'rejected', platformCode: null, ...because('text_alone') })
  }
  const tags = tagsOf(draft.settings, first, 1)
  if (draft.format === 'story') return create(client, { media_type: 'STORIES', ...(await sourceOf(first)), ...tags })
  const common = captionOf(draft)
  if (others.length > 0) return create(client, { ...common, ...(await carouselOf(client, draft)) })
  const content = first.kind === 'video' ? await reelOf(first, draft.settings) : await photoOf(first)
  return create(client, { ...common, ...content, ...tags })
}

/** People copy names with the @ that Instagram shows in front of them. */
function nameOf(written: string): string {
  return written.trim().replace(/^@/, '')
}

function captionOf({ text, settings }: Draft<Settings>): Fields {
  const collaborators = settings.collaborators?.map(nameOf) ?? []
  return {
    caption: text === '' ? undefined : text,
    collaborators: collaborators.length > 0 ? JSON.stringify(collaborators) : undefined,
    location_id: settings.locationId,
    // On the parent of a carousel only, and never on its items.
    is_ai_generated: settings.aiGenerated ? 'true' : undefined,
  }
}

/** The people in one file. A photo needs a point for each: those without one stand side by side in the middle. A video takes no points. */
function tagsOf({ userTags = [] }: Settings, { kind }: Media, number: number): Fields {
  const here = userTags.filter(({ photo = 1 }) => photo === number)
  if (here.length === 0) return {}
  const tags = here.map(({ username, x, y }, at) =>
    kind === 'video'
      ? { username: nameOf(username) }
      : { username: nameOf(username), x: x ?? (at + 1) / (here.length + 1), y: y ?? 0.5 },
  )
  return { user_tags: JSON.stringify(tags) }
}

/** People see the items in the order of these ids. Photos and videos can be mixed. */
async function carouselOf(client: Client, { media, settings }: Draft<Settings>): Promise<Fields> {
  const children = await Promise.all(
    media.map(async (item, at) => {
      const fields = item.kind === 'video' ? { media_type: 'VIDEO', ...(await sourceOf(item)) } : await photoOf(item)
      return create(client, { ...fields, ...tagsOf(settings, item, at + 1), is_carousel_item: 'true' })
    }),
  )
  await awaitFinished(client.http, children, (creationId) => readState(client, creationId))
  return { media_type: 'CAROUSEL', children: children.join(',') }
}

async function photoOf(media: Media): Promise<Fields> {
  return { ...(await sourceOf(media)), alt_text: media.alt === '' ? undefined : media.alt }
}

/** A picture counts more than a moment of the video. */
async function reelOf(media: Media, { shareToFeed, coverSeconds, coverUrl }: Settings): Promise<Fields> {
  const moment = coverSeconds === undefined ? undefined : String(Math.round(coverSeconds * 1000))
  return {
    media_type: 'REELS',
    ...(await sourceOf(media)),
    share_to_feed: String(shareToFeed),
    ...(coverUrl === undefined ? { thumb_offset: moment } : { cover_url: coverUrl }),
  }
}

async function sourceOf(media: Media): Promise<Fields> {
  const url = await getMediaUrl(media)
  return media.kind === 'video' ? { video_url: url } : { image_url: url }
}

async function create({ http, account }: Client, form: Fields): Promise<string> {
  const { id } = await http.call({ method: 'POST', path: `/v26.0/${account.id}/media`, form, returns: CreatedObject })
  return id
}

export function readContainer({ http }: Client, creationId: string): Promise<Static<typeof Container>> {
  const query = { fields: 'status_code,status' }
  return http.call({ method: 'GET', path: `/v26.0/${encodeURIComponent(creationId)}`, query, returns: Container })
}

/** Throws if the container cannot be published, now or ever. One that Instagram does not show is left to the call that publishes it. */
export async function ensureFinished(client: Client, creationId: string): Promise<void> {
  if ((await readState(client, creationId)) === 'IN_PROGRESS') {
    throw new PlatformError({ kind: 'unavailable', platformCode: 'IN_PROGRESS', ...because('preparing'), waitsMs: checkWaitsMs })
  }
}

/** Null if it is not shown. Throws if it can never be published. */
function readState(client: Client, creationId: string): Promise<string | null> {
  return readStateIfShown(() => readUsable(client, creationId))
}

async function readUsable(client: Client, creationId: string): Promise<string> {
  const { status_code: state, status = '' } = await readContainer(client, creationId)
  if (state === 'ERROR' || state === 'EXPIRED') throw refusedContainer(state, status)
  return state
}

/**
 * The irreversible call. If it is refused without a reason, the container's state may give one. If that state is PUBLISHED, the error
 * stays `unknown` and the server calls `find`.
 */
export async function publishContainer(client: Client, creationId: string): Promise<string> {
  const path = `/v26.0/${client.account.id}/media_publish`
  try {
    const { id } = await client.http.call({ method: 'POST', path, form: { creation_id: creationId }, returns: CreatedObject })
    return id
  } catch (error) {
    if (error instanceof PlatformError && error.platformCode === notPublishable) {
      // Neither published nor shown: without a wait of its own, it is soon made again.
      if ((await readState(client, creationId)) === null)
        throw new PlatformError({ kind: 'unavailable', platformCode: notPublishable, ...because('preparing') })
    }
    throw error
  }
}

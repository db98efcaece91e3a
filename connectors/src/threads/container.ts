import type { Static } from 'typebox'
import type { Client, Draft, Media } from '../kit/connector.ts'
import { getMediaUrl } from '../kit/read-media.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { awaitFinished, readStateIfShown } from '../meta/await-finished.ts'
import { checkWaitsMs } from '../meta/check-waits-ms.ts'
import { because, notPublishable, refusedContainer } from './errors.ts'
import { Container, CreatedObject } from './wire.ts'

type Settings = { replyControl: string; topicTag?: string }
type Fields = Record<string, string | undefined>

/** Creates the container of a post. It is invisible until published and expires after a day. `find` reads its state by its id. */
export async function createContainer(client: Client, draft: Draft<Settings>): Promise<string> {
  const { replyControl, topicTag } = draft.settings
  const isReply = draft.replyTo !== null
  return create(client, {
    ...(await contentOf(client, draft)),
    text: draft.text === '' ? undefined : draft.text,
    reply_to_id: draft.replyTo?.postId,
    reply_control: isReply || replyControl === 'everyone' ? undefined : replyControl,
    topic_tag: isReply ? undefined : topicTag,
  })
}

async function contentOf(client: Client, { media, linkUrl }: Draft<Settings>): Promise<Fields> {
  const [first, ...others] = media
  if (!first) return { media_type: 'TEXT', link_attachment: linkUrl ?? undefined }
  if (others.length === 0) return mediaFields(first)
  // People see the items in the order of these ids.
  const children = await Promise.all(
    media.map(async (item) => create(client, { ...(await mediaFields(item)), is_carousel_item: 'true' })),
  )
  await awaitFinished(client.http, children, (creationId) => readState(client, creationId))
  return { media_type: 'CAROUSEL', children: children.join(',') }
}

async function mediaFields(media: Media): Promise<Fields> {
  const url = await getMediaUrl(media)
  const source = media.kind === 'video' ? { media_type: 'VIDEO', video_url: url } : { media_type: 'IMAGE', image_url: url }
  return { ...source, alt_text: media.alt === '' ? undefined : media.alt }
}

async function create({ http, account }: Client, form: Fields): Promise<string> {
  const { id } = await http.call({ method: 'POST', path: `/v1.0/${account.id}/threads`, form, returns: CreatedObject })
  return id
}

export function readContainer({ http }: Client, creationId: string): Promise<Static<typeof Container>> {
  const query = { fields: 'status,error_message' }
  return http.call({ method: 'GET', path: `/v1.0/${encodeURIComponent(creationId)}`, query, returns: Container })
}

/** Throws if the container cannot be published, now or ever. One that Threads does not show is left to the call that publishes it. */
export async function ensureFinished(client: Client, creationId: string): Promise<void> {
  if ((await readState(client, creationId)) === 'IN_PROGRESS') throw preparing()
}

/** Null if it is not shown. Throws if it can never be published. */
function readState(client: Client, creationId: string): Promise<string | null> {
  return readStateIfShown(() => readUsable(client, creationId))
}

async function readUsable(client: Client, creationId: string): Promise<string> {
  const { status, error_message: reason } = await readContainer(client, creationId)
  if (status === 'ERROR') throw refusedContainer(reason ?? 'UNKNOWN')
  if (status === 'EXPIRED') throw refusedContainer('EXPIRED')
  return status
}

function preparing(): PlatformError {
  return new PlatformError({ kind: 'unavailable', platformCode: 'IN_PROGRESS', ...because('preparing'), waitsMs: checkWaitsMs })
}

/**
 * The irreversible call. If it is refused without a reason, the container's state may give one. If that state is PUBLISHED, the error
 * stays `unknown` and the server calls `find`.
 */
export async function publishContainer(client: Client, creationId: string): Promise<string> {
  const path = `/v1.0/${client.account.id}/threads_publish`
  try {
    const { id } = await client.http.call({ method: 'POST', path, form: { creation_id: creationId }, returns: CreatedObject })
    return id
  } catch (error) {
    if (error instanceof PlatformError && error.platformCode === notPublishable) {
      const state = await readState(client, creationId)
      if (state === 'IN_PROGRESS') throw preparing()
      // Neither published nor shown: without a wait of its own, it is soon made again.
      if (state === null) throw new PlatformError({ kind: 'unavailable', platformCode: notPublishable, ...because('preparing') })
    }
    throw error
  }
}

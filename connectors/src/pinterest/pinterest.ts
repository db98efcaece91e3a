import { type Client, defineConnector, type Draft, type Media, readEach } from '../kit/connector.ts'
import { cutText } from '../kit/cut-text.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { readFollowers } from '../kit/auth.ts'
import { readMedia, uploadTimeoutMs } from '../kit/read-media.ts'
import { webUrl } from '../kit/web-address.ts'
import { auth, origin } from './auth.ts'
import { capabilities, findPlace } from './boards.ts'
import { checkApp } from './check-app.ts'
import { because, classify } from './errors.ts'
import { findPin, pinUrl } from './find.ts'
import { manifest } from './manifest.ts'
import { type Settings, settings } from './settings.ts'
import { ensureProcessed, uploadVideo } from './video.ts'
import { AnyBody, Created, Figures, Me, StagedPin } from './wire.ts'

/** Three bytes are four characters. */
const encodedBytes = (bytes: number) => Math.ceil(bytes / 3) * 4

export const pinterest = defineConnector({
  manifest,
  settings,
  auth,
  origin,
  sandboxOrigin: 'https://api-sandbox.pinterest.com',
  capabilities,
  classify,
  checkApp,

  async account({ http }) {
    const me = await http.call({ method: 'GET', path: '/v5/user_account', returns: Me })
    const { id, username, business_name: name, profile_image: picture } = me
    return {
      id,
      handle: username,
      displayName: name || username,
      avatarUrl: webUrl(picture),
      ...readFollowers(me.follower_count),
    }
  },

  // A pin needs the id of its board.
  needsStage: () => true,

  async stage(client, draft) {
    const place = await findPlace(client, draft.settings)
    const [file] = draft.media
    const mediaId = file?.kind === 'video' ? await uploadVideo(client.http, file) : null
    return { ...place, mediaId }
  },

  // How long Pinterest keeps a video that no pin shows is not documented.
  stageLastsMs: 86_400_000,
  submitMsMax: uploadTimeoutMs(encodedBytes(manifest.photos.bytesMax) * manifest.photos.max),

  async submit({ http }, draft, staged) {
    const { boardId, sectionId, mediaId } = parseStaged(StagedPin, staged)
    if (mediaId !== null) await ensureProcessed(http, mediaId)
    const json = {
      board_id: boardId,
      ...(sectionId !== null && { board_section_id: sectionId }),
      ...(draft.title && { title: draft.title }),
      description: draft.text,
      ...(draft.linkUrl !== null && { link: draft.linkUrl }),
      ...altTextOf(draft.media),
      media_source: mediaId === null ? await encodeImages(draft.media) : coveredVideo(mediaId, draft.settings),
    }
    const sizeBytes = mediaId === null ? draft.media.reduce((sum, file) => sum + encodedBytes(file.sizeBytes), 0) : 0
    const timeoutMs = uploadTimeoutMs(sizeBytes)
    const { id } = await http.call({ method: 'POST', path: '/v5/pins', json, timeoutMs, returns: Created })
    return { state: 'published', postId: id, postUrl: pinUrl(id) }
  },

  find: findPin,

  async remove({ http }: Client, postId) {
    await http.call({ method: 'DELETE', path: `/v5/pins/${encodeURIComponent(postId)}`, returns: AnyBody })
  },

  metrics({ http }, postIds) {
    return readEach(postIds, async (postId) => {
      const path = `/v5/pins/${encodeURIComponent(postId)}`
      const { pin_metrics: known } = await http.call({
        method: 'GET',
        path,
        query: { pin_metrics: 'true' },
        returns: Figures,
      })
      const { impression, clickthrough, reaction, comment } = known?.lifetime_metrics ?? {}
      const figures = { impressions: impression, clicks: clickthrough, likes: reaction, comments: comment }
      return Object.fromEntries(Object.entries(figures).filter(([, count]) => typeof count === 'number'))
    })
  },
})

/** A pin has one for all its pictures. */
function altTextOf(media: readonly Media[]) {
  const alt = media.map((file) => file.alt.trim()).find(Boolean)
  return alt === undefined ? {} : { alt_text: cutText(alt, manifest.altText.max) }
}

/** The pictures are sent, and not their addresses: those Pinterest often cannot fetch, and its sandbox never does (decision 128). */
async function encodeImages(media: readonly Media[]) {
  const images = await Promise.all(media.map(encodeImage))
  const [first] = images
  if (!first) throw new PlatformError({ kind: 'rejected', platformCode: null, ...because('text_alone') })
  return images.length === 1
    ? { source_type: 'image_base64', ...first }
    : { source_type: 'multiple_image_base64', items: images, index: 0 }
}

async function encodeImage(file: Media) {
  return { content_type: file.mimeType, data: Buffer.from(await readMedia(file)).toString('base64') }
}

/** A moment after the end is that of the last picture. */
function coveredVideo(mediaId: string, { coverSeconds = 0 }: Draft<Settings>['settings']) {
  return { source_type: 'video_id', media_id: mediaId, cover_image_key_frame_time: Math.floor(coverSeconds) }
}

import { type Client, defineConnector, type Draft, type Media, type Outcome } from '../kit/connector.ts'
import { getMediaUrl } from '../kit/read-media.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { callApi } from './call-api.ts'
import { checkCreator } from './check-creator.ts'
import { capabilities } from './creator.ts'
import { auth } from './auth.ts'
import { checkApp } from './check-app.ts'
import { because, classify } from './errors.ts'
import { findPost } from './find.ts'
import { isForInbox, withInboxScope } from './inbox.ts'
import { manifest } from './manifest.ts'
import { readFigures } from './read-figures.ts'
import { createInboxInfo, createPhotoInfo } from './post-info.ts'
import { type Settings, settings } from './settings.ts'
import { checkPost, processingOutcome } from './status.ts'
import { startVideo, uploadLastChunk } from './upload-video.ts'
import { PhotoPost, StagedPhotos, StagedVideo, User } from './wire.ts'

export const tiktok = defineConnector({
  manifest,
  settings,
  capabilities,
  auth,
  origin: 'https://open.tiktokapis.com',
  classify,
  checkApp,

  async account({ http }) {
    const query = { fields: 'open_id,union_id,avatar_url,display_name,username' }
    const { user } = await callApi(http, { method: 'GET', path: '/v2/user/info/', query, returns: User })
    const handle = user.username || user.open_id
    return { id: user.open_id, handle, displayName: user.display_name || handle, avatarUrl: user.avatar_url ?? null }
  },

  needsStage() {
    return true
  },

  async stage(client, draft) {
    const video = videoOf(draft)
    if (!isForInbox(draft.settings)) await checkCreator(client, draft)
    return video ? startVideo(client, draft, video) : { isChecked: true }
  },

  async submit(client, draft, staged) {
    const video = videoOf(draft)
    if (!video) {
      parseStaged(StagedPhotos, staged)
      return sendPhotos(client, draft)
    }
    const { publishId, uploadUrl } = parseStaged(StagedVideo, staged)
    await uploadLastChunk(client, uploadUrl, video)
    return processingOutcome(publishId, draft.settings)
  },

  // The address for an upload is valid for an hour.
  stageLastsMs: 50 * 60_000,

  check: checkPost,

  find: findPost,

  metrics: readFigures,
})

function videoOf({ media }: Draft<Settings>): Media | undefined {
  const [first] = media
  if (first) return first.kind === 'video' ? first : undefined
  throw new PlatformError({ kind: 'rejected', platformCode: null, ...because('text_alone') })
}

/** TikTok fetches the photos itself, so this one call publishes them or puts them into the inbox. Only its answer contains the publish_id. */
async function sendPhotos(client: Client, draft: Draft<Settings>): Promise<Outcome> {
  const urls = await Promise.all(draft.media.map(getMediaUrl))
  const isWaiting = isForInbox(draft.settings)
  const json = {
    media_type: 'PHOTO',
    post_mode: isWaiting ? 'MEDIA_UPLOAD' : 'DIRECT_POST',
    post_info: isWaiting ? createInboxInfo(draft) : createPhotoInfo(draft),
    source_info: { source: 'PULL_FROM_URL', photo_images: urls, photo_cover_index: 0 },
  }
  const init = () => callApi(client.http, { path: '/v2/post/publish/content/init/', json, returns: PhotoPost })
  const { publish_id: publishId } = await (isWaiting ? withInboxScope(client, init) : init())
  if (!isPublishId(publishId)) {
    const message = 'TikTok accepted the post, but its answer was damaged.'
    throw new PlatformError({ kind: 'unknown', platformCode: null, message })
  }
  return processingOutcome(publishId, draft.settings)
}

/** With a damaged id TikTok would deny a post that exists, so an answer with such an id counts as lost. */
function isPublishId(text: string): boolean {
  return /^[!-~]{1,64}$/.test(text)
}

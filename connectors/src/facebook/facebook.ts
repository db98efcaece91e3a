import { Type } from 'typebox'
import { defineConnector } from '../kit/connector.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { checkAppByToken } from '../meta/check-app.ts'
import { readSignedRequest } from '../meta/read-signed-request.ts'
import { auth, origin } from './auth.ts'
import { capabilities } from './capabilities.ts'
import { classify } from './errors.ts'
import { findPost } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { accountOf, asPage, pageFields, pathOf } from './page.ts'
import { publishComment, publishPhotoStory, publishPost, publishVideo } from './publish.ts'
import { readFigures } from './read-figures.ts'
import { uploadPhoto, uploadVideo } from './upload.ts'
import { checkVideo } from './video.ts'
import { Page, StagedPhotos, StagedVideo, Success } from './wire.ts'

export const facebook = defineConnector({
  manifest,
  settings: Type.Object({}, { additionalProperties: false, 'x-words': { de: germanWords } }),
  capabilities,
  auth,
  origin,
  classify,
  checkApp: (http, question) => checkAppByToken(http, '/v26.0/oauth/access_token', question),

  async account(client) {
    const path = pathOf(client.account.id || 'me')
    return accountOf(await asPage(client).call({ method: 'GET', path, query: { fields: pageFields }, returns: Page }))
  },

  commentAfterMs: 5_000,

  needsStage({ format }) {
    return format !== 'text'
  },

  async stage(client, draft) {
    const [first] = draft.media
    if (first?.kind === 'video') return uploadVideo(client, first, draft.format)
    return { photoIds: await Promise.all(draft.media.map((photo) => uploadPhoto(client, photo))) }
  },

  // Photos that no post names are deleted after about a day.
  stageLastsMs: 23 * 3_600_000,

  async submit(client, draft, staged) {
    if (draft.replyTo) return publishComment(client, draft.replyTo.postId, draft.text)
    const [first] = draft.media
    if (!first) return publishPost(client, draft, [])
    if (first.kind === 'video') return publishVideo(client, draft, parseStaged(StagedVideo, staged))
    const { photoIds } = parseStaged(StagedPhotos, staged)
    return draft.format === 'story' ? publishPhotoStory(client, draft, photoIds[0] ?? '') : publishPost(client, draft, photoIds)
  },

  check: checkVideo,
  find: findPost,
  readNotice: readSignedRequest,

  async remove(client, postId) {
    await asPage(client).call({ method: 'DELETE', path: pathOf(postId), returns: Success })
  },

  metrics: readFigures,
})

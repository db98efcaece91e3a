import { commentIdOf, readCommentId } from '../kit/comment-id.ts'
import { defineConnector, readEach, type Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { streamMultipart, uploadOf } from '../kit/stream-multipart.ts'
import { webUrl } from '../kit/web-address.ts'
import { auth } from './auth.ts'
import { findCommunity } from './community.ts'
import { classify, needsSignIn } from './errors.ts'
import { findPost } from './find.ts'
import { manifest } from './manifest.ts'
import { settings } from './settings.ts'
import { titleOf } from './title.ts'
import { AnyBody, api, Commented, Counts, Created, Site, StagedPost, Uploaded } from './wire.ts'

export const lemmy = defineConnector({
  manifest,
  settings,
  auth,
  origin: null,
  classify,

  async account({ http }) {
    const { my_user: me } = await http.call({ method: 'GET', path: `${api}/site`, returns: Site })
    // A token that is not known is ignored here.
    if (!me) throw needsSignIn()
    const { id, name, display_name: displayName, avatar } = me.local_user_view.person
    // A user name is unique on its server only, so the host is added.
    const handle = `${name}@${new URL(http.origin).host}`
    return { id: String(id), handle, displayName: displayName || name, avatarUrl: webUrl(avatar) }
  },

  // Posts name their community by a number, which is looked up first.
  needsStage({ replyTo }) {
    return replyTo === null
  },

  // Safe to repeat: an image that no post refers to is never shown.
  async stage({ http, credentials }, draft) {
    titleOf(draft)
    const { community = credentials.extra?.['community'] ?? '', language } = draft.settings
    const communityId = await findCommunity(http, community)
    const languageId = language === undefined ? null : await findLanguage(http, language)
    const [file] = draft.media
    return { communityId, languageId, image: file ? await uploadImage(http, file) : null }
  },

  async submit({ http }, draft, staged) {
    const { text, replyTo, settings: chosen } = draft
    if (replyTo) {
      const json = { content: text, post_id: Number(replyTo.postId) }
      const { comment_view: made } = await http.call({ method: 'POST', path: `${api}/comment`, json, returns: Commented })
      return { state: 'published', postId: commentIdOf(made.comment.id), postUrl: webUrl(made.comment.ap_id) }
    }
    const { communityId, languageId, image } = parseStaged(StagedPost, staged)
    const alt = draft.media[0]?.alt ?? ''
    const json = {
      name: titleOf(draft),
      community_id: communityId,
      url: image ?? draft.linkUrl ?? undefined,
      body: text === '' ? undefined : text,
      alt_text: image === null || alt === '' ? undefined : alt,
      language_id: languageId ?? undefined,
      nsfw: chosen.nsfw,
    }
    const { post_view: made } = await http.call({ method: 'POST', path: `${api}/post`, json, returns: Created })
    return { state: 'published', postId: String(made.post.id), postUrl: webUrl(made.post.ap_id) }
  },

  find: findPost,

  async remove({ http }, postId) {
    const comment = readCommentId(postId)
    const [path, named] =
      comment === undefined ? ['post', { post_id: Number(postId) }] : ['comment', { comment_id: Number(comment) }]
    const json = { ...named, deleted: true }
    await http.call({ method: 'POST', path: `${api}/${path}/delete`, json, returns: AnyBody })
  },

  metrics({ http }, postIds) {
    return readEach(postIds, async (id) => {
      const { post_view: view } = await http.call({ method: 'GET', path: `${api}/post`, query: { id }, returns: Counts })
      return { likes: view.counts.upvotes, comments: view.counts.comments }
    })
  },
})

/** Languages have numbers, which may differ from server to server. */
async function findLanguage(http: Http, code: string): Promise<number> {
  const { all_languages: languages = [] } = await http.call({ method: 'GET', path: `${api}/site`, returns: Site })
  const language = languages.find((each) => each.code === code)
  if (language) return language.id
  const message = `The server has no language “${code}”. Enter a code such as en or de.`
  throw new PlatformError({ kind: 'rejected', platformCode: 'unknown_language', message })
}

/** Images are kept by pict-rs, behind the same address. */
async function uploadImage(http: Http, file: Media): Promise<string> {
  const form = await streamMultipart('images[]', file, {})
  const { files } = await http.call({ method: 'POST', path: '/pictrs/image', ...uploadOf(form), returns: Uploaded })
  const [image] = files ?? []
  // Nothing was sent yet, so it is uploaded again.
  if (!image)
    throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'The server did not say where the image is.' })
  return `${http.origin}/pictrs/image/${encodeURIComponent(image.file)}`
}

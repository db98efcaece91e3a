import { defineConnector, type Client, type Draft, type Figures as Counts } from '../kit/connector.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { webUrl } from '../kit/web-address.ts'
import { auth, origin } from './auth.ts'
import { checkApp } from './check-app.ts'
import { because, classify, postForm } from './errors.ts'
import { checkImage, findPost, processingOutcome, subredditOf, titleOf, urlOf } from './find.ts'
import { manifest } from './manifest.ts'
import { type Settings, settings } from './settings.ts'
import { stagePost } from './stage.ts'
import { AnyBody, Commented, Figures, Me, StagedPost, Submitted, SubmittedGallery, SubmittedImage } from './wire.ts'

const postsPerCall = 100

export const reddit = defineConnector({
  manifest,
  settings,
  auth,
  origin,
  classify,
  checkApp,

  async account({ http }) {
    const {
      id,
      name,
      icon_img: icon,
    } = await http.call({ method: 'GET', path: '/api/v1/me', query: { raw_json: '1' }, returns: Me })
    return { id, handle: name, displayName: name, avatarUrl: webUrl(icon) }
  },

  // A text can have a flair, which is looked up first.
  needsStage({ replyTo }) {
    return replyTo === null
  },

  stage: stagePost,
  // The lease of an upload is signed for a short time; how long Reddit keeps a file that no post shows is not documented.
  stageLastsMs: 3_600_000,

  async submit(client, draft, staged) {
    if (draft.replyTo) return comment(client, draft, draft.replyTo.postId)
    if ([...draft.text].length > manifest.text.max)
      throw new PlatformError({ kind: 'rejected', platformCode: null, ...because('text_too_long') })
    const { flairId, files } = parseStaged(StagedPost, staged)
    const common = commonFields(client, draft, flairId)
    const [first] = files
    if (files.length > 1) {
      const items = files.map(({ asset }) => ({ media_id: asset, caption: '', outbound_url: '' }))
      const json = { ...common, items, show_error_list: true }
      const path = '/api/submit_gallery_post.json'
      const { json: made } = await postForm(client.http, { path, json, returns: SubmittedGallery })
      return { state: 'published', postId: made.data.id, postUrl: webUrl(made.data.url) }
    }
    const form = Object.fromEntries(Object.entries(common).map(([name, value]) => [name, String(value)]))
    if (first) {
      const image = { ...form, kind: 'image', url: first.url }
      await postForm(client.http, { path: '/api/submit', form: image, returns: SubmittedImage })
      return processingOutcome(first.asset)
    }
    const kind = draft.linkUrl === null ? { kind: 'self' } : { kind: 'link', url: draft.linkUrl }
    const { json: made } = await postForm(client.http, { path: '/api/submit', form: { ...form, ...kind }, returns: Submitted })
    return { state: 'published', postId: made.data.name, postUrl: webUrl(made.data.url) }
  },

  check: checkImage,
  find: findPost,

  async remove({ http }, postId) {
    await http.call({ method: 'POST', path: '/api/del', form: { id: postId }, returns: AnyBody })
  },

  async metrics({ http }, postIds) {
    const figures = new Map<string, Counts>()
    for (let from = 0; from < postIds.length; from += postsPerCall) {
      const query = { id: postIds.slice(from, from + postsPerCall).join(','), raw_json: '1' }
      const { data } = await http.call({ method: 'GET', path: '/api/info', query, returns: Figures })
      for (const { data: post } of data.children) {
        const { score, num_comments: comments, num_crossposts: shares } = post
        figures.set(post.name, {
          // More votes against than for are fewer than none.
          ...(score !== undefined && { likes: Math.max(0, score) }),
          ...(comments !== undefined && { comments }),
          ...(shares !== undefined && { shares }),
        })
      }
    }
    return figures
  },
})

/** `resubmit`: a link that the subreddit has already may be posted again, because a person wants it. Nothing is sent twice by us. */
function commonFields(client: Client, draft: Draft<Settings>, flairId: string | null) {
  const { nsfw, spoiler, notify } = draft.settings
  return {
    api_type: 'json',
    sr: subredditOf(client, draft.settings),
    title: titleOf(draft),
    text: draft.text,
    nsfw,
    spoiler,
    sendreplies: notify,
    resubmit: true,
    // A broken rule of the subreddit is told at once, and not by a removal afterwards.
    validate_on_submit: true,
    ...(flairId !== null && { flair_id: flairId }),
  }
}

async function comment({ http }: Client, { text }: Pick<Draft, 'text'>, postId: string) {
  const form = { api_type: 'json', thing_id: postId, text }
  const { json } = await postForm(http, { path: '/api/comment', form, returns: Commented })
  const [made] = json.data.things
  return { state: 'published', postId: made?.data.name ?? '', postUrl: urlOf(made?.data.permalink) } as const
}

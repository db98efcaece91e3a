import { defineConnector, type Draft, readEach } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { uploadTimeoutMs } from '../kit/read-media.ts'
import { streamFiles, uploadOf } from '../kit/stream-multipart.ts'
import { readFollowers } from '../kit/auth.ts'
import { accountOf, auth, listBlogs } from './auth.ts'
import { checkApp } from './check-app.ts'
import { identifierOf, writeContent } from './content.ts'
import { because, classify, tooLong } from './errors.ts'
import { checkVideo, findPost, pathOf, postUrlOf, processingOutcome, referenceOf, slugFor } from './find.ts'
import { filesBytesMax, manifest } from './manifest.ts'
import { type Settings, settings } from './settings.ts'
import { AnyBody, Created, Notes } from './wire.ts'

export const tumblr = defineConnector({
  manifest,
  settings,
  auth,
  origin: 'https://api.tumblr.com',
  classify,
  checkApp,

  async account({ http, account: { id } }) {
    const blogs = await listBlogs(http)
    const blog = id === '' ? blogs[0] : blogs.find(({ uuid }) => uuid === id)
    if (!blog) throw new PlatformError({ kind: 'gone', platformCode: null, ...because('not_found') })
    return { ...accountOf(blog), ...readFollowers(blog.followers) }
  },

  // Files cannot be uploaded before they are published.
  needsStage: () => false,
  submitMsMax: uploadTimeoutMs(filesBytesMax),

  async submit(client, draft, _staged, handle) {
    if ([...draft.text].length > manifest.text.max) throw tooLong()
    const slug = slugFor(draft, handle)
    const json = { ...describePost(draft), slug }
    const files = Object.fromEntries(draft.media.map((file, at) => [identifierOf(at), file]))
    const body = draft.media.length > 0 ? uploadOf(await streamFiles(files, { json: JSON.stringify(json) })) : { json }
    const { response } = await client.http.call({ method: 'POST', path: pathOf(client, '/posts'), ...body, returns: Created })
    const isShown = draft.format !== 'video' || response.state === 'published'
    if (!isShown) return processingOutcome(referenceOf(response.id, slug))
    return { state: 'published', postId: response.id, postUrl: postUrlOf(client, response.id) }
  },

  check: checkVideo,
  find: findPost,

  async remove(client, postId) {
    await client.http.call({ method: 'POST', path: pathOf(client, '/post/delete'), form: { id: postId }, returns: AnyBody })
  },

  // Notes are likes, reblogs and replies. The documentation does not name the number of replies.
  metrics(client, postIds) {
    return readEach(postIds, async (postId) => {
      const query = { id: postId, mode: 'conversation' }
      const { response } = await client.http.call({ method: 'GET', path: pathOf(client, '/notes'), query, returns: Notes })
      const { total_likes: likes, total_reblogs: shares, total_replies: comments } = response
      return {
        ...(likes !== undefined && { likes }),
        ...(comments !== undefined && { comments }),
        ...(shares !== undefined && { shares }),
      }
    })
  },
})

function describePost(draft: Draft<Settings>) {
  const { tags = [], sourceUrl, reblogs } = draft.settings
  return {
    content: writeContent(draft),
    state: 'published',
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(sourceUrl !== undefined && { source_url: sourceUrl }),
    ...(reblogs !== 'everyone' && { interactability_reblog: reblogs }),
  }
}

import { Type } from 'typebox'
import { choice } from '../kit/choice.ts'
import { defineConnector } from '../kit/connector.ts'
import { parseStaged } from '../kit/parse-staged.ts'
import { readPage, readPerson } from './account.ts'
import { auth, origin } from './auth.ts'
import { classify } from './errors.ts'
import { findAmongRecent } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { ensureReady, uploadMedia } from './upload-media.ts'
import { readFigures } from './read-figures.ts'
import { createComment, createPost } from './create-post.ts'
import { encodeUrn, isPage, restHeaders } from './rest.ts'
import { AnyBody, StagedPost } from './wire.ts'

const settings = Type.Object(
  {
    visibility: choice(
      { PUBLIC: 'Everyone', CONNECTIONS: 'Your connections', LOGGED_IN: 'Everyone who is signed in to LinkedIn' },
      { default: 'PUBLIC', title: 'Who can see the post', description: 'Who may see the post on LinkedIn.' },
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export const linkedin = defineConnector({
  manifest,
  settings,
  auth,
  origin,
  classify,

  account({ http, account }) {
    return isPage(account.id) ? readPage(http, account.id) : readPerson(http)
  },

  commentAfterMs: 5_000,

  needsStage({ format }) {
    return format !== 'text'
  },

  // Every attempt must use the same uploads: LinkedIn would not recognise a repeat with new uploads as a duplicate.
  async stage(client, { media }) {
    const uploaded = await Promise.all(media.map((file) => uploadMedia(client, file)))
    return { media: uploaded, uploadedAtMs: client.http.nowMs() }
  },

  async submit(client, draft, staged) {
    if (draft.replyTo) return createComment(client, draft.replyTo.postId, draft.text)
    const { media: urns, uploadedAtMs = 0 } = draft.media.length > 0 ? parseStaged(StagedPost, staged) : { media: [] }
    await ensureReady(client, { urns, uploadedAtMs })
    return createPost(client, draft, urns)
  },

  find: findAmongRecent,

  async remove({ http }, postId) {
    const headers = { ...restHeaders, 'X-RestLi-Method': 'DELETE' }
    await http.call({ method: 'DELETE', path: `/rest/posts/${encodeUrn(postId)}`, headers, returns: AnyBody })
  },

  metrics: readFigures,
})

import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { choice } from '../kit/setting-words.ts'
import { defineConnector } from '../kit/connector.ts'
import { stageCard } from '../kit/link-card.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { readPage, readPerson } from './account.ts'
import { auth, origin } from './auth.ts'
import { capabilities } from './capabilities.ts'
import { checkApp } from './check-app.ts'
import { classify } from './errors.ts'
import { findAmongRecent } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { ensureReady, readyCard, uploadMedia } from './upload-media.ts'
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
    mentions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({
              minLength: 1,
              maxLength: 100,
              pattern: '^[^@\\n]+$',
              'x-message': 'Must be the name of a page on LinkedIn, without @.',
            }),
            organization: Type.String({ pattern: '^[0-9]{1,19}$', 'x-message': 'Must be the number of a page on LinkedIn.' }),
          },
          { additionalProperties: false },
        ),
        {
          title: 'Mentioned pages',
          description:
            'The pages that "@Name" in the text links to: the exact name, and the number in the address of the page’s admin view.',
          maxItems: 20,
        },
      ),
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export const linkedin = defineConnector({
  manifest,
  settings,
  capabilities,
  auth,
  origin,
  classify,
  checkApp,

  account({ http, account }) {
    return isPage(account.id) ? readPage(http, account.id) : readPerson(http)
  },

  commentAfterMs: 5_000,

  needsStage({ format, linkUrl }) {
    return format !== 'text' || linkUrl !== null
  },

  // Every attempt must use the same uploads: LinkedIn would not recognise a repeat with new uploads as a duplicate.
  async stage(client, draft) {
    const [media, card] = await Promise.all([
      Promise.all(draft.media.map((file) => uploadMedia(client, file))),
      stageCard(draft, manifest, (picture) => uploadMedia(client, picture)),
    ])
    return { media, card, uploadedAtMs: client.http.nowMs() }
  },

  async submit(client, draft, staged) {
    if (draft.replyTo) return createComment(client, draft.replyTo.postId, draft.text)
    const isStaged = draft.media.length > 0 || Value.Check(StagedPost, staged)
    const { media: urns, card = null, uploadedAtMs = 0 } = isStaged ? parseStaged(StagedPost, staged) : { media: [] }
    await ensureReady(client, { urns, uploadedAtMs })
    return createPost(client, draft, { urns, card: await readyCard(client, card, uploadedAtMs) })
  },

  find: findAmongRecent,

  async remove({ http }, postId) {
    const headers = { ...restHeaders, 'X-RestLi-Method': 'DELETE' }
    await http.call({ method: 'DELETE', path: `/rest/posts/${encodeUrn(postId)}`, headers, returns: AnyBody })
  },

  metrics: readFigures,
})

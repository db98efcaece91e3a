import { Type } from 'typebox'
import { choice } from '../kit/setting-words.ts'
import { defineConnector } from '../kit/connector.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { readAccount, readFigures, removeStatus } from '../mastodon-api/calls.ts'
import { StagedPost, Status } from '../mastodon-api/wire.ts'
import { auth } from './auth.ts'
import { capabilities } from './capabilities.ts'
import { classify } from './errors.ts'
import { findAmongRecent } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { ensureReady, uploadMedia } from './upload-media.ts'

const settings = Type.Object(
  {
    visibility: choice(
      {
        public: 'Everyone',
        unlisted: 'Everyone, but not in public lists',
        private: 'Followers only',
        direct: 'Only the people mentioned',
      },
      { default: 'public', title: 'Who can see the post', description: 'Who may see the post on Mastodon.' },
    ),
    spoiler: Type.Optional(
      Type.String({
        title: 'Content warning',
        description: 'Shown in place of the post until opened. Counts towards its length.',
        maxLength: 500,
      }),
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export const mastodon = defineConnector({
  manifest,
  settings,
  capabilities,
  auth,
  origin: null,
  classify,

  account: ({ http }) => readAccount(http),

  needsStage({ format }) {
    return format !== 'text'
  },

  // Safe to repeat: an upload that no status refers to is never shown.
  async stage({ http }, { media }) {
    return { media: await Promise.all(media.map((file) => uploadMedia(http, file))) }
  },

  // The server remembers the key for an hour and answers a repeat with the first status.
  async submit({ http }, draft, staged, handle) {
    const media = draft.media.length > 0 ? parseStaged(StagedPost, staged).media : []
    await Promise.all(media.map((file) => ensureReady(http, file)))
    const { visibility, spoiler } = draft.settings
    const json = {
      status: draft.text,
      media_ids: media.map(({ id }) => id),
      in_reply_to_id: draft.replyTo?.postId,
      visibility,
      spoiler_text: spoiler,
    }
    const headers = { 'Idempotency-Key': handle.key }
    const status = await http.call({ method: 'POST', path: '/api/v1/statuses', json, headers, returns: Status })
    return { state: 'published', postId: status.id, postUrl: status.url ?? null }
  },

  find: findAmongRecent,

  remove: ({ http }, postId) => removeStatus(http, postId),
  metrics: ({ http }, postIds) => readFigures(http, postIds),
})

import { Type } from 'typebox'
import { choice } from '../kit/setting-words.ts'
import { defineConnector, readEach } from '../kit/connector.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { auth } from './auth.ts'
import { capabilities } from './capabilities.ts'
import { classify } from './errors.ts'
import { findAmongRecent } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { ensureReady, uploadMedia } from './upload-media.ts'
import { Account, StatusCounts, AnyBody, StagedPost, Status } from './wire.ts'

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

  async account({ http }) {
    const me = await http.call({ method: 'GET', path: '/api/v1/accounts/verify_credentials', returns: Account })
    // A user name is unique on its server only, so the host is added.
    const handle = me.acct.includes('@') ? me.acct : `${me.acct}@${new URL(http.origin).host}`
    return { id: me.id, handle, displayName: me.display_name || me.username, avatarUrl: me.avatar ?? null }
  },

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

  async remove({ http }, postId) {
    await http.call({ method: 'DELETE', path: `/api/v1/statuses/${encodeURIComponent(postId)}`, returns: AnyBody })
  },

  // One request per post: only Mastodon 4.3 and newer can return many at once.
  metrics({ http }, postIds) {
    return readEach(postIds, async (postId) => {
      const path = `/api/v1/statuses/${encodeURIComponent(postId)}`
      const status = await http.call({ method: 'GET', path, returns: StatusCounts })
      return { likes: status.favourites_count, comments: status.replies_count, shares: status.reblogs_count }
    })
  },
})

import { type Static, Type } from 'typebox'
import { defineConnector, type Draft, type Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { choice } from '../kit/setting-words.ts'
import { readAccount, readFigures, removeStatus, uploadFile } from '../mastodon-api/calls.ts'
import { auth } from './auth.ts'
import { capabilities } from './capabilities.ts'
import { classify, neverOpened, reject } from './errors.ts'
import { findPost } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { Created, StagedPost, Uploaded } from './wire.ts'

const settings = Type.Object(
  {
    visibility: choice(
      { public: 'Everyone', unlisted: 'Everyone, but not in public lists', private: 'Followers only' },
      { default: 'public', title: 'Who can see the post', description: 'Who may see the post on Pixelfed.' },
    ),
    spoiler: Type.Optional(
      Type.String({
        title: 'Content warning',
        description: 'The pictures are covered until somebody opens them; this stands before them.',
        maxLength: 140,
      }),
    ),
    comments: choice(
      { open: 'Allowed', closed: 'Not allowed' },
      { default: 'open', title: 'Comments', description: 'Whether people can comment on the post.' },
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export const pixelfed = defineConnector({
  manifest,
  settings,
  capabilities,
  auth,
  origin: null,
  classify,

  // Whether the number of followers is the true one where a person hides it is not documented.
  async account({ http }) {
    const { followers: _, ...account } = await readAccount(http)
    return account
  },

  needsStage({ format }) {
    return format !== 'text'
  },

  // Safe to repeat: nobody sees a file that no post shows.
  async stage({ http }, { media }) {
    const ids: string[] = []
    // One at a time: a small server makes other sizes of each picture while it answers.
    for (const file of media) ids.push(await upload(http, file))
    return { media: ids }
  },
  // Pixelfed deletes what no post shows after two hours.
  stageLastsMs: 90 * 60_000,

  // Without a key for repeats: Pixelfed stores it before it checks the post, and then refuses a corrected attempt, too.
  async submit({ http }, draft, staged) {
    if (draft.replyTo && draft.text.includes('<')) throw reject('text_refused')
    const media = draft.media.length > 0 ? parseStaged(StagedPost, staged).media : []
    const json = { ...describePost(draft), media_ids: media.length > 0 ? media : undefined }
    const created = await http.call({ method: 'POST', path: '/api/v1/statuses', json, returns: Created })
    if (Array.isArray(created)) throw neverOpened()
    return { state: 'published', postId: created.id, postUrl: created.url ?? null }
  },

  find: findPost,
  remove: ({ http }, postId) => removeStatus(http, postId),
  metrics: ({ http }, postIds) => readFigures(http, postIds),
})

function describePost({ text, replyTo, settings: chosen }: Draft<Static<typeof settings>>) {
  const { visibility, spoiler, comments } = chosen
  return {
    status: text,
    in_reply_to_id: replyTo?.postId,
    visibility,
    // The warning counts only with this.
    ...(spoiler !== undefined && { sensitive: true, spoiler_text: spoiler }),
    ...(comments === 'closed' && { comments_disabled: true }),
  }
}

async function upload(http: Http, file: Media): Promise<string> {
  const uploaded = await uploadFile(http, file, Uploaded)
  if (Array.isArray(uploaded)) throw neverOpened()
  return uploaded.id
}

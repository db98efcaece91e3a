import { writeWarning } from '@carillon/contract'
import { Type } from 'typebox'
import { type Client, defineConnector, type Figures, type Outcome } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { readInsights } from '../meta/read-insights.ts'
import { readPermalink } from '../meta/read-permalink.ts'
import { readSignedRequest } from '../meta/read-signed-request.ts'
import { auth, origin } from './auth.ts'
import { checkApp } from './check-app.ts'
import { createContainer, ensureFinished, publishContainer } from './container.ts'
import { classify } from './errors.ts'
import { findPost } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { CreatedObject, Me, StagedPost } from './wire.ts'

const settings = Type.Object(
  {
    shareToFeed: Type.Boolean({
      default: true,
      title: 'Show the reel in the feed',
      description: 'A reel appears in the Reels tab; this shows it in the feed and on the profile as well.',
      'x-only-for': ['video', 'short_video'],
    }),
    coverSeconds: Type.Optional(
      Type.Number({
        title: 'Cover',
        description: 'The moment of the video, in seconds, whose picture becomes the cover of a reel.',
        minimum: 0,
        maximum: 900,
        'x-only-for': ['video', 'short_video'],
      }),
    ),
    collaborators: Type.Optional(
      Type.Array(Type.String({ pattern: '^@?[A-Za-z0-9_.]{1,30}$', 'x-message': 'Must be user names of Instagram.' }), {
        title: 'Collaborators',
        description: 'Up to three user names who are invited to share the post as theirs.',
        maxItems: 3,
        'x-only-for': ['photo', 'photo_carousel', 'video', 'short_video'],
      }),
    ),
    coverUrl: Type.Optional(
      Type.String({
        title: 'Picture for the cover',
        description: 'The address of a JPEG of at most 8 MB that becomes the cover of a reel, instead of a moment of the video.',
        pattern: '^https://[!-~]+$',
        maxLength: 2048,
        'x-message': 'Must be an address that starts with https:// and has no spaces or umlauts.',
        'x-only-for': ['video', 'short_video'],
      }),
    ),
    userTags: Type.Optional(
      Type.Array(
        Type.Object(
          {
            username: Type.String({ pattern: '^@?[A-Za-z0-9_.]{1,30}$', 'x-message': 'Must be a user name of Instagram.' }),
            photo: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'The number of the file; 1 if absent.' })),
            x: Type.Optional(
              Type.Number({ minimum: 0, maximum: 1, description: 'From the left edge; in the middle if absent.' }),
            ),
            y: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'From the top edge; in the middle if absent.' })),
          },
          { additionalProperties: false },
        ),
        {
          title: 'People in the picture',
          description: 'Up to 20 user names who are tagged on the first photo or on the video.',
          maxItems: 20,
        },
      ),
    ),
    locationId: Type.Optional(
      Type.String({
        title: 'Place',
        description: 'The id of the Facebook page of a place, which is shown above the post.',
        pattern: '^[0-9]{5,32}$',
        'x-message': 'Must be the number of a Facebook page.',
        'x-only-for': ['photo', 'photo_carousel', 'video', 'short_video'],
      }),
    ),
    aiGenerated: Type.Boolean({
      default: false,
      title: 'Made with AI',
      description: 'Labels the post as made by artificial intelligence.',
      'x-only-for': ['photo', 'photo_carousel', 'video', 'short_video'],
    }),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export const instagram = defineConnector({
  manifest,
  settings,
  auth,
  origin,
  classify,
  checkApp,

  async account({ http }) {
    const query = { fields: 'id,user_id,username,name,profile_picture_url' }
    const me = await http.call({ method: 'GET', path: '/v26.0/me', query, returns: Me })
    return {
      id: me.user_id,
      handle: me.username,
      displayName: me.name || me.username,
      avatarUrl: me.profile_picture_url ?? null,
      appUserId: me.id,
    }
  },

  // A comment needs one call only. Everything else needs a container first.
  needsStage({ replyTo }) {
    return replyTo === null
  },

  async stage(client, draft) {
    return { creationId: await createContainer(client, draft) }
  },

  // A container expires after a day.
  stageLastsMs: 23 * 3_600_000,

  // Does not create a container: without a stored id, its state could not be read after a lost answer.
  async submit(client, draft, staged) {
    if (draft.replyTo) return comment(client, draft.replyTo.postId, draft.text)
    const { creationId } = parseStaged(StagedPost, staged)
    await ensureFinished(client, creationId)
    const id = await publishContainer(client, creationId)
    const postUrl = await readPermalink(client.http, `/v26.0/${encodeURIComponent(id)}`)
    const warnings = [
      ...(postUrl === null ? [writeWarning('address_unknown', { platform: 'Instagram' })] : []),
      ...(draft.format === 'story' && draft.text !== '' ? [writeWarning('story_without_text', { platform: 'Instagram' })] : []),
    ]
    return { state: 'published', postId: id, postUrl, warnings }
  },

  find: findPost,
  readNotice: readSignedRequest,

  async metrics(client, postIds) {
    const figures = new Map<string, Figures>()
    for (const postId of postIds) {
      const found = await readFigures(client, postId)
      if (found) figures.set(postId, found)
    }
    return figures
  },
})

async function comment({ http }: Client, postId: string, text: string): Promise<Outcome> {
  const path = `/v26.0/${encodeURIComponent(postId)}/comments`
  const { id } = await http.call({ method: 'POST', path, form: { message: text }, returns: CreatedObject })
  return { state: 'published', postId: id, postUrl: null }
}

/** A deleted post, or a story (which has no likes), has no figures. */
async function readFigures({ http }: Client, postId: string): Promise<Figures | null> {
  try {
    return await readInsights(http, `/v26.0/${encodeURIComponent(postId)}/insights`, manifest.metrics)
  } catch (error) {
    if (error instanceof PlatformError && (error.kind === 'gone' || error.kind === 'rejected')) return null
    throw error
  }
}

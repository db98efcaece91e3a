import { writeWarning } from '@carillon/contract'
import { Type } from 'typebox'
import { type Account, readFollowers } from '../kit/auth.ts'
import { choice } from '../kit/setting-words.ts'
import { defineConnector, type Figures } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { checkAppByToken } from '../meta/check-app.ts'
import { readInsights } from '../meta/read-insights.ts'
import { readPermalink } from '../meta/read-permalink.ts'
import { readSignedRequest } from '../meta/read-signed-request.ts'
import { auth } from './auth.ts'
import { createContainer, ensureFinished, publishContainer } from './container.ts'
import { classify } from './errors.ts'
import { findPost } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { AccountInsights, AnyBody, Me, StagedPost } from './wire.ts'

const settings = Type.Object(
  {
    replyControl: choice(
      {
        everyone: 'Everyone',
        accounts_you_follow: 'Profiles you follow',
        mentioned_only: 'Only people mentioned',
        parent_post_author_only: 'Only the author of the post replied to',
        followers_only: 'Your followers',
      },
      { default: 'everyone', title: 'Who can reply', description: 'Who may reply to the post on Threads.' },
    ),
    topicTag: Type.Optional(
      Type.String({
        title: 'Topic',
        description: 'One topic, without # and without "." or "&".',
        minLength: 1,
        maxLength: 50,
        pattern: '^[^.&]+$',
        'x-message': 'Must not contain a full stop or an ampersand.',
      }),
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export const threads = defineConnector({
  manifest,
  settings,
  auth,
  origin: 'https://graph.threads.com',
  classify,
  checkApp: (http, question) => checkAppByToken(http, auth.tokenUrl, question),
  // The only way that Meta documents for this API.
  attach: (accessToken) => ({ query: { access_token: accessToken } }),

  async account({ http }) {
    const query = { fields: 'id,username,name,threads_profile_picture_url' }
    const me = await http.call({ method: 'GET', path: '/v1.0/me', query, returns: Me })
    return {
      id: me.id,
      handle: me.username,
      displayName: me.name || me.username,
      avatarUrl: me.threads_profile_picture_url ?? null,
      ...(await countFollowers(http, me.id)),
    }
  },

  needsStage() {
    return true
  },

  async stage(client, draft) {
    return { creationId: await createContainer(client, draft) }
  },

  // A container expires after a day.
  stageLastsMs: 23 * 3_600_000,

  // Does not create a container: without a stored id, its state could not be read after a lost answer.
  async submit(client, draft, staged) {
    const { creationId } = parseStaged(StagedPost, staged)
    // A text is not ready at once either.
    await ensureFinished(client, creationId)
    const id = await publishContainer(client, creationId)
    const postUrl = await readPermalink(client.http, `/v1.0/${encodeURIComponent(id)}`)
    const warnings = [
      ...(postUrl === null ? [writeWarning('address_unknown', { platform: 'Threads' })] : []),
      ...(draft.linkUrl !== null && draft.media.length > 0 ? [writeWarning('link_with_text_only', { platform: 'Threads' })] : []),
    ]
    return { state: 'published', postId: id, postUrl, warnings }
  },

  find: findPost,
  readNotice: readSignedRequest,

  async remove({ http }, postId) {
    await http.call({ method: 'DELETE', path: `/v1.0/${encodeURIComponent(postId)}`, returns: AnyBody })
  },

  async metrics({ http }, postIds) {
    const figures = new Map<string, Figures>()
    for (const postId of postIds) {
      const path = `/v1.0/${encodeURIComponent(postId)}/insights`
      figures.set(postId, await readInsights(http, path, manifest.metrics))
    }
    return figures
  },
})

/** A permission of its own, which people can leave out: the account is the same without it. */
async function countFollowers(http: Http, id: string): Promise<Pick<Account, 'followers'>> {
  try {
    const path = `/v1.0/${encodeURIComponent(id)}/threads_insights`
    const metric = manifest.followers
    const { data } = await http.call({ method: 'GET', path, query: { metric }, returns: AccountInsights })
    return readFollowers(data.find(({ name }) => name === metric)?.total_value?.value)
  } catch (error) {
    if (error instanceof PlatformError) return {}
    throw error
  }
}

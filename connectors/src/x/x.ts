import { writeWarning } from '@carillon/contract'
import { Type } from 'typebox'
import { choice } from '../kit/setting-words.ts'
import { defineConnector, type Figures } from '../kit/connector.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { auth } from './auth.ts'
import { capabilities } from './capabilities.ts'
import { checkApp } from './check-app.ts'
import { classify } from './errors.ts'
import { findAmongRecent, postUrlOf } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { ensureReady, uploadMedia } from './upload-media.ts'
import { CreatedPost, AnyBody, Me, PostMetrics, StagedPost } from './wire.ts'

const settings = Type.Object(
  {
    replySettings: choice(
      {
        everyone: 'Everyone',
        following: 'Accounts you follow',
        mentionedUsers: 'Only people mentioned',
        subscribers: 'Your subscribers',
        verified: 'Verified accounts',
      },
      { default: 'everyone', title: 'Who can reply', description: 'Who may reply to the post on X.' },
    ),
    aiGenerated: Type.Boolean({
      default: false,
      title: 'Made with AI',
      description: 'Labels the post as made by artificial intelligence.',
    }),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

const idsPerCall = 100

export const x = defineConnector({
  manifest,
  settings,
  capabilities,
  auth,
  origin: 'https://api.x.com',
  classify,
  checkApp,

  async account({ http }) {
    const query = { 'user.fields': 'username,name,profile_image_url' }
    const { data } = await http.call({ method: 'GET', path: '/2/users/me', query, returns: Me })
    return {
      id: data.id,
      handle: data.username,
      displayName: data.name || data.username,
      avatarUrl: data.profile_image_url ?? null,
    }
  },

  needsStage({ format }) {
    return format !== 'text'
  },

  async stage({ http }, { media }) {
    return { media: await Promise.all(media.map((file) => uploadMedia(http, file))) }
  },

  // X keeps an upload that no post uses for a day.
  stageLastsMs: 23 * 3_600_000,
  commentAfterMs: 5_000,

  // X has no idempotency key. A repeat is published twice, or refused as a duplicate without naming the first post.
  async submit(client, draft, staged) {
    const { http } = client
    const media = draft.media.length > 0 ? parseStaged(StagedPost, staged).media : []
    await Promise.all(media.map((file) => ensureReady(http, file)))
    const {
      text,
      replyTo,
      settings: { replySettings, aiGenerated },
    } = draft
    const json = {
      // Also for a post without words: X does not accept that it is missing.
      text,
      ...(media.length > 0 && { media: { media_ids: media.map(({ id }) => id) } }),
      // Who can reply is decided by the post that is replied to.
      ...(replyTo && { reply: { in_reply_to_tweet_id: replyTo.postId } }),
      ...(replyTo === null && replySettings !== 'everyone' && { reply_settings: replySettings }),
      // The label is about the first post, with its pictures or its film.
      ...(replyTo === null && aiGenerated && { made_with_ai: true }),
    }
    const { data } = await http.call({ method: 'POST', path: '/2/tweets', json, returns: CreatedPost })
    const isAltLost = media.some((file) => file.isAltLost)
    const warnings = isAltLost ? { warnings: [writeWarning('alt_text_refused', { platform: 'X' })] } : {}
    return { state: 'published', postId: data.id, postUrl: postUrlOf(client, data.id), ...warnings }
  },

  find: findAmongRecent,

  async remove({ http }, postId) {
    await http.call({ method: 'DELETE', path: `/2/tweets/${encodeURIComponent(postId)}`, returns: AnyBody })
  },

  async metrics({ http }, postIds) {
    const figures = new Map<string, Figures>()
    for (let from = 0; from < postIds.length; from += idsPerCall) {
      const ids = postIds.slice(from, from + idsPerCall).join(',')
      const query = { ids, 'tweet.fields': 'public_metrics,non_public_metrics' }
      const { data = [] } = await http.call({ method: 'GET', path: '/2/tweets', query, returns: PostMetrics })
      for (const { id, public_metrics: seen, non_public_metrics: own } of data) {
        figures.set(id, {
          likes: seen.like_count ?? 0,
          comments: seen.reply_count ?? 0,
          shares: seen.repost_count ?? seen.retweet_count ?? 0,
          impressions: seen.impression_count ?? 0,
          saves: seen.bookmark_count ?? 0,
          // Available only to the author, and only for 30 days.
          ...(own?.url_link_clicks !== undefined && { clicks: own.url_link_clicks }),
        })
      }
    }
    return figures
  },
})

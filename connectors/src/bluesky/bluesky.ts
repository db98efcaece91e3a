import { writeWarning } from '@carillon/contract'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { type Client, defineConnector, type Figures } from '../kit/connector.ts'
import { cardWarnings } from '../kit/link-card.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { readFollowers } from '../kit/auth.ts'
import { auth } from './auth.ts'
import { classify } from './errors.ts'
import { findMentions } from './find-facets.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { createRecord } from './create-record.ts'
import { recordKey } from './record-key.ts'
import { collection, parsePostId, stage } from './stage.ts'
import { readConverted } from './video.ts'
import { CurrentSession, AnyBody, Posts, StagedPost, Profile, StrongRef } from './wire.ts'

const settings = Type.Object(
  {
    language: Type.Optional(
      Type.String({ title: 'Language', description: 'The language of the post, for example "en" or "pt-BR".', maxLength: 35 }),
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

const idsPerCall = 25

function postUrl(repo: string, rkey: string): string {
  return `https://bsky.app/profile/${repo}/post/${rkey}`
}

/** Writes a new record and returns its address; if the key is taken, an earlier attempt has written it. */
async function writeOnce({ http, account }: Client, rkey: string, record: Record<string, unknown>): Promise<string> {
  const path = '/xrpc/com.atproto.repo.putRecord'
  const json = { repo: account.id, collection, rkey, record, swapRecord: null }
  try {
    return (await http.call({ method: 'POST', path, json, returns: StrongRef })).uri
  } catch (error) {
    if (error instanceof PlatformError && error.platformCode === 'InvalidSwap') return `at://${account.id}/${collection}/${rkey}`
    throw error
  }
}

/** With the file of a video that was still being converted when it was staged. */
async function readyContent({ http }: Client, content: Static<typeof StagedPost>): Promise<Static<typeof StagedPost>> {
  return content.job ? { ...content, blobs: [await readConverted(http, content.job)] } : content
}

export const bluesky = defineConnector({
  manifest,
  settings,
  auth,
  origin: 'https://bsky.social',
  classify,

  async account({ http }) {
    const me = await http.call({ method: 'GET', path: '/xrpc/com.atproto.server.getSession', returns: CurrentSession })
    const query = { actor: me.did }
    const profile = await http
      .call({ method: 'GET', path: '/xrpc/app.bsky.actor.getProfile', query, returns: Profile })
      .catch((error: unknown) => {
        // A self-hosted data server may not serve profiles. Then only the name and the picture are missing.
        if (error instanceof PlatformError) return null
        throw error
      })
    return {
      id: me.did,
      handle: me.handle,
      displayName: profile?.displayName || me.handle,
      avatarUrl: profile?.avatar ?? null,
      ...readFollowers(profile?.followersCount),
    }
  },

  needsStage({ format, text, linkUrl, replyTo }) {
    return format !== 'text' || linkUrl !== null || replyTo !== null || findMentions(text).length > 0
  },

  stage,

  // Safe to repeat: the server writes the record only if there is none with this key yet.
  async submit(client, draft, staged, handle) {
    const content = await readyContent(client, Value.Check(StagedPost, staged) ? staged : await stage(client, draft))
    const repo = client.account.id
    const rkey = recordKey(handle)
    // The time of sending, by which Bluesky sorts posts. The handle's time is older for a scheduled post.
    const record = createRecord(draft, content, client.http.nowMs())
    const uri = await writeOnce(client, rkey, record)
    const isLinkLeftOut = draft.linkUrl !== null && draft.media.length > 0
    const warnings = [
      ...(isLinkLeftOut
        ? [writeWarning('link_or_media', { platform: 'Bluesky' })]
        : cardWarnings(content.card ?? null, manifest)),
      ...(content.isConvertedLate ? [writeWarning('video_converted_late', { platform: 'Bluesky' })] : []),
    ]
    return { state: 'published', postId: uri, postUrl: postUrl(repo, rkey), warnings }
  },

  // The handle gives the record's key, so the server can tell for certain whether the record exists.
  async find(client, { handle, knownPostIds }) {
    const repo = client.account.id
    const rkey = recordKey(handle)
    const path = '/xrpc/com.atproto.repo.getRecord'
    try {
      const { uri } = await client.http.call({ method: 'GET', path, query: { repo, collection, rkey }, returns: StrongRef })
      if (knownPostIds.has(uri)) return { state: 'unknown' }
      return { state: 'published', postId: uri, postUrl: postUrl(repo, rkey) }
    } catch (error) {
      if (error instanceof PlatformError && error.platformCode === 'RecordNotFound')
        return { state: 'absent', proof: 'reference' }
      throw error
    }
  },

  async remove({ http }, postId) {
    const { repo, rkey } = parsePostId(postId)
    const path = '/xrpc/com.atproto.repo.deleteRecord'
    await http.call({ method: 'POST', path, json: { repo, collection, rkey }, returns: AnyBody })
  },

  async metrics({ http }, postIds) {
    const figures = new Map<string, Figures>()
    for (let from = 0; from < postIds.length; from += idsPerCall) {
      const query = { uris: postIds.slice(from, from + idsPerCall) }
      const { posts } = await http.call({ method: 'GET', path: '/xrpc/app.bsky.feed.getPosts', query, returns: Posts })
      for (const { uri, likeCount = 0, replyCount = 0, repostCount = 0, bookmarkCount = 0 } of posts) {
        figures.set(uri, { likes: likeCount, comments: replyCount, shares: repostCount, saves: bookmarkCount })
      }
    }
    return figures
  },
})

import type { Call } from '../../http/call.ts'
import { flagOf, numberOf, textOf, type Fields } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Media, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { communities, viewCommunity } from './communities.ts'
import { refusal } from './errors.ts'
import { pictureUrl } from './images.routes.ts'
import { api, isKind, viewPerson } from './people.routes.ts'
import { checkBody, cleanText, cleanUrl } from './rules.ts'

export type LemmyPost = Post & {
  name: string
  link: string | null
  communityId: number
  nsfw: boolean
  languageId: number
  isLocked: boolean
  commentCount: number
}

const bodyMax = 50_000
const altMax = 1500
const pageMax = 50

export function postRoutes(context: PlatformContext) {
  const posts = context.createTable<LemmyPost>('posts')

  const find = (id: unknown): LemmyPost => {
    const post = posts.get(textOf(id) ?? '')
    if (!post || post.deleted) throw refusal('couldnt_find_post')
    return post
  }

  const create = (call: Call, { account }: Session) => {
    const fields = call.fields
    if (!fields) throw refusal('unknown', 'Json deserialize error')
    if ((textOf(fields['honeypot']) ?? '') !== '') throw refusal('honeypot_failed')
    const head = readPost(fields, account)
    const { link, media } = readLink(fields)
    const community = communities.find(({ id }) => id === numberOf(fields['community_id']))
    if (isKind(account, 'banned')) throw refusal('person_is_banned_from_community')
    if (!community) throw refusal('couldnt_find_community')
    if (community.isForModerators) throw refusal('only_mods_can_post_in_community')
    const languageId = numberOf(fields['language_id'])
    if (community.languages && languageId !== undefined && !community.languages.includes(languageId))
      throw refusal('language_not_allowed')
    const id = String(context.nextNumber())
    const post: LemmyPost = {
      ...head,
      platform: context.name,
      id,
      account,
      url: `${context.origin}/post/${id}`,
      replyTo: null,
      atMs: context.now(),
      deleted: false,
      media,
      request: { ...fields, community: community.title },
      link,
      communityId: community.id,
      nsfw: flagOf(fields['nsfw']) || community.nsfw === true,
      languageId: languageId ?? community.languages?.[0] ?? 0,
      isLocked: head.name.includes('[locked]'),
      commentCount: 0,
    }
    for (const one of media) one.attachedTo = id
    posts.set(id, post)
    context.commit(post, call)
    // The author's own upvote is added after the post is made. If that fails, the answer is an error.
    if (head.name.includes('[no upvote]')) throw refusal('couldnt_like_post')
    return json(200, { post_view: view(post) })
  }

  const readLink = (fields: Fields): { link: string | null; media: Media[] } => {
    const url = textOf(fields['url'])
    if (url === undefined) return { link: null, media: [] }
    const parsed = URL.parse(url)
    if (!parsed) throw refusal('invalid_url')
    if (!['http:', 'https:', 'magnet:'].includes(parsed.protocol)) throw refusal('invalid_url_scheme')
    if (parsed.href.length > 2000) throw refusal('url_length_overflow')
    if (parsed.hostname === 'blocked.example') throw refusal('blocked_url')
    const file = context.simulator.media.find(context.name, parsed.pathname.split('/').at(-1) ?? '')
    if (!file || url !== pictureUrl(context, file.id)) return { link: cleanUrl(parsed.href), media: [] }
    file.alt = textOf(fields['alt_text']) ?? ''
    return { link: url, media: [file] }
  }

  /** What a person is not shown is missing for its author as well. */
  const isListed = (post: LemmyPost, account: Account, showsNsfw: boolean) => {
    if (post.nsfw && !showsNsfw) return false
    if (isKind(account, 'bot') && isKind(post.account, 'bot')) return false
    return !(isKind(account, 'german') && ![0, 32].includes(post.languageId))
  }

  const list = ({ query }: Call, { account }: Session) => {
    const size = Number(query.get('limit') ?? 10)
    if (!(size >= 1 && size <= pageMax)) throw refusal('couldnt_get_posts')
    if (query.get('sort') !== 'New') throw refusal('unknown', 'only the newest posts are simulated')
    const communityId = Number(query.get('community_id'))
    const before = Number(query.get('page_cursor')?.slice(1) ?? Infinity)
    const showsNsfw = query.get('show_nsfw') === 'true'
    const found = [...posts.values()]
      .filter((post) => post.communityId === communityId && !post.deleted && context.isVisible(post))
      .filter((post) => Number(post.id) < before && isListed(post, account, showsNsfw))
      .toReversed()
      .slice(0, size)
    const last = found.at(-1)
    return json(200, { posts: found.map(view), ...(last && { next_page: `P${last.id}` }) })
  }

  const view = (post: LemmyPost) => {
    const community = communities.find(({ id }) => id === post.communityId)
    const { likes = 1, comments = post.commentCount } = post.figures ?? {}
    return {
      post: {
        id: Number(post.id),
        name: post.name,
        ...(post.link !== null && { url: post.link }),
        ...(post.text !== '' && { body: post.text }),
        ...(post.media[0] && { alt_text: post.media[0].alt }),
        creator_id: Number(post.account.id),
        community_id: post.communityId,
        removed: false,
        locked: post.isLocked,
        // Microseconds, as PostgreSQL keeps them.
        published: new Date(post.atMs).toISOString().replace('Z', '123Z'),
        deleted: post.deleted,
        nsfw: post.nsfw,
        ap_id: post.url,
        local: true,
        language_id: post.languageId,
      },
      creator: viewPerson(context, post.account),
      ...(community && { community: viewCommunity(context, community) }),
      counts: { score: likes, upvotes: likes, downvotes: 0, comments },
    }
  }

  const read = [{ limit: 'message', cost: 1 }]
  const routes: Route[] = [
    {
      method: 'POST',
      path: `${api}/post`,
      operation: 'submit',
      charges: [{ limit: 'post', cost: 1 }],
      readSubmit,
      handle: create,
    },
    { method: 'GET', path: `${api}/post/list`, operation: 'find', charges: read, handle: list },
    {
      method: 'GET',
      path: `${api}/post`,
      operation: 'metrics',
      charges: read,
      handle: ({ query }) => json(200, { post_view: view(find(query.get('id'))) }),
    },
    {
      method: 'POST',
      path: `${api}/post/delete`,
      operation: 'remove',
      charges: read,
      handle({ fields = {} }, { account }) {
        const post = posts.get(textOf(fields['post_id']) ?? '')
        if (!post) throw refusal('couldnt_find_post')
        if (post.deleted === flagOf(fields['deleted'])) throw refusal('couldnt_update_post')
        if (post.account !== account) throw refusal('no_post_edit_allowed')
        post.deleted = flagOf(fields['deleted'])
        return json(200, { post_view: view(post) })
      },
    },
  ]
  return { routes, find }
}

function readPost(fields: Fields, account: Account): { name: string; text: string } {
  const name = textOf(fields['name']) ?? ''
  if (isKind(account, 'slurs') && name.includes('fie')) throw refusal('slurs')
  const length = [...name.trim()].length
  if (length < 3 || length > 200 || name.includes('\n')) throw refusal('invalid_post_title')
  if ((textOf(fields['alt_text']) ?? '').length > altMax) throw refusal('alt_text_length_overflow')
  const text = cleanText(textOf(fields['body']) ?? '', isKind(account, 'slurs'))
  checkBody(text, bodyMax)
  return { name: name.trim(), text }
}

function readSubmit({ fields = {} }: Call): SubmitRequest {
  return { operation: 'create_post', text: textOf(fields['body']) ?? '', key: null, replyTo: null }
}

import type { Post } from '../../state/entities.ts'
import type { Flair, PostKind } from './subreddits.ts'

export type RedditPost = Post & {
  kind: PostKind
  title: string
  subreddit: string
  target: string
  flair: Flair | undefined
  /** The names of uploaded files, which are part of their addresses afterwards. */
  assets: readonly string[]
  shownAtMs: number
}

/** A comment on a post, or on another comment. */
export type RedditComment = Post & { subreddit: string; linkId: string; parentId: string }

export type Tables = { posts: Map<string, RedditPost>; comments: Map<string, RedditComment> }

/** Without `raw_json`, three characters of every text are entities. */
function shown(text: string, isRaw: boolean): string {
  return isRaw ? text : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function viewPost(post: RedditPost, isRaw: boolean) {
  const { id, title, text, subreddit, kind, target, account, url, flair, assets, shownAtMs, figures } = post
  const { likes = 1, comments = 0, shares = 0 } = figures ?? {}
  const isSelf = kind === 'self'
  return {
    kind: 't3',
    data: {
      id: id.slice(3),
      name: id,
      title: shown(title, isRaw),
      selftext: shown(text, isRaw),
      subreddit,
      subreddit_name_prefixed: subreddit.startsWith('u_') ? `u/${subreddit.slice(2)}` : `r/${subreddit}`,
      author: account.handle,
      is_self: isSelf,
      url: isSelf ? url : shown(target, isRaw),
      permalink: new URL(url).pathname.replace(/^\/reddit/, ''),
      created_utc: Math.floor(shownAtMs / 1000),
      link_flair_text: flair?.text ?? null,
      link_flair_template_id: flair?.id ?? null,
      over_18: post.request?.['nsfw'] === 'true',
      ...(kind === 'gallery' && {
        is_gallery: true,
        media_metadata: Object.fromEntries(assets.map((name) => [name, { status: 'valid', e: 'Image', id: name }])),
      }),
      score: likes,
      ups: likes,
      upvote_ratio: 1,
      num_comments: comments,
      num_crossposts: shares,
      view_count: null,
      removed_by_category: null,
    },
  }
}

export function viewComment(comment: RedditComment, isRaw: boolean) {
  const { id, text, subreddit, account, linkId, parentId, atMs, url } = comment
  return {
    kind: 't1',
    data: {
      id: id.slice(3),
      name: id,
      body: shown(text, isRaw),
      subreddit,
      author: account.handle,
      link_id: linkId,
      parent_id: parentId,
      permalink: new URL(url).pathname.replace(/^\/reddit/, ''),
      created_utc: Math.floor(atMs / 1000),
      score: 1,
    },
  }
}

import type { Post } from '../../state/entities.ts'
import { findShortenable, replaceShortenable, shorten } from './short-links.ts'

export type Tweet = Post & { replies: number; repliableAtMs: number }

/** `tweet.fields` determines which fields the reply has besides id and text. */
export function viewTweet(tweet: Tweet, fields: ReadonlySet<string>) {
  const { likes = 0, comments = tweet.replies, shares = 0, impressions = 0, clicks = 0, saves = 0 } = tweet.figures ?? {}
  const view: Record<string, unknown> = {
    id: tweet.id,
    text: shownText(tweet),
    edit_history_tweet_ids: [tweet.id],
    edit_history_post_ids: [tweet.id],
  }
  if (fields.has('created_at')) view['created_at'] = new Date(tweet.atMs).toISOString()
  if (fields.has('author_id')) view['author_id'] = tweet.account.id
  if (fields.has('entities')) {
    const urls = linksOf(tweet)
    if (urls.length > 0) view['entities'] = { urls }
  }
  if (fields.has('public_metrics')) {
    view['public_metrics'] = {
      retweet_count: shares,
      repost_count: shares,
      reply_count: comments,
      like_count: likes,
      quote_count: 0,
      bookmark_count: saves,
      impression_count: impressions,
    }
  }
  if (fields.has('non_public_metrics')) {
    view['non_public_metrics'] = {
      impression_count: impressions,
      url_link_clicks: clicks,
      user_profile_clicks: 0,
      engagements: 0,
    }
  }
  if (fields.has('referenced_tweets') && tweet.replyTo !== null)
    view['referenced_tweets'] = [{ type: 'replied_to', id: tweet.replyTo }]
  return view
}

/** Each short link with its target. A bare domain gets a scheme; the link that X adds for media has a `media_key`. */
function linksOf({ id, text, url, media }: Tweet) {
  const targets = findShortenable(text).map((link) => ({
    url: shorten(link, id),
    expanded_url: /^https?:/i.test(link) ? link : `http://${link}`,
    display_url: link.replace(/^https?:\/\//i, ''),
  }))
  const [first] = media
  if (!first) return targets
  const shown = { expanded_url: `${url}/photo/1`, display_url: 'pic.x.com', media_key: `3_${first.id}` }
  return [...targets, { url: shorten('media', id), ...shown }]
}

/** X changes the text it received: it shortens links, adds a link for media, and replaces three characters with HTML entities. */
function shownText({ id, text, media }: Tweet): string {
  const shortened = findShortenable(text).length > 0 ? replaceShortenable(text, (url) => shorten(url, id)) : text
  const escaped = shortened.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return media.length === 0 ? escaped : `${escaped} ${shorten('media', id)}`.trim()
}

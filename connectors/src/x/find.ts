import type { Static } from 'typebox'
import { compareText, isFarLonger, type Match } from '../kit/compare-text.ts'
import type { Client, Found, Sent } from '../kit/connector.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { Timeline } from './wire.ts'

type ListedTweet = NonNullable<Static<typeof Timeline>['data']>[number]

/** Searches the account's posts in the window. */
export async function findAmongRecent(client: Client, sent: Sent<unknown>): Promise<Found> {
  const path = `/2/users/${client.account.id}/tweets`
  const parent = sent.draft.replyTo?.postId
  // X bills every post that it lists, so older ones are left out. It refuses a time that is not past.
  const startMs = Math.min(sent.window.fromMs, client.http.nowMs() - 60_000)
  const search = await searchListing(sent, async (cursor) => {
    const query = {
      max_results: '100',
      start_time: `${new Date(startMs).toISOString().slice(0, 19)}Z`,
      'tweet.fields': 'created_at,referenced_tweets,entities',
      pagination_token: cursor ?? undefined,
    }
    const { data = [], meta } = await client.http.call({ method: 'GET', path, query, returns: Timeline })
    const posts = data.map((tweet) => ({
      id: tweet.id,
      url: postUrlOf(client, tweet.id),
      createdAtMs: tweet.created_at === undefined ? null : Date.parse(tweet.created_at),
      compare: () => (repliedTo(tweet) === parent ? compareTweet(sent.draft.text, tweet) : 'other'),
    }))
    return { posts, next: meta.next_token ?? null }
  })
  return foundInListing(search)
}

function repliedTo({ referenced_tweets: references = [] }: ListedTweet): string | undefined {
  return references.find(({ type }) => type === 'replied_to')?.id
}

export function postUrlOf({ account }: Client, postId: string): string {
  return `https://x.com/${account.handle}/status/${postId}`
}

type ShownTweet = Pick<ListedTweet, 'text' | 'entities'>

/** X replaces every link by a t.co link and names the target: as written, and where it leads if it is a short link itself. */
export function compareTweet(sent: string, tweet: ShownTweet): Match {
  if (isFarLonger(tweet.text, sent)) return 'other'
  const wanted = withoutSchemes(sent)
  const asWritten = compareText(wanted, withoutSchemes(showTweet(tweet, 'expanded_url')))
  return asWritten === 'same' ? asWritten : compareText(wanted, withoutSchemes(showTweet(tweet, 'unwound_url')))
}

const shortLink = /https?:\/\/t\.co\/\w+/g
const ownMedia = /^https?:\/\/(?:x|twitter)\.com\/[^/]+\/status\/\d+\/(?:photo|video)\/\d+$/

/** The text with the targets of its links, without the link that X adds for media, and without HTML entities. */
function showTweet({ text, entities }: ShownTweet, target: 'expanded_url' | 'unwound_url'): string {
  const targets = new Map(
    (entities?.urls ?? []).map((link) => {
      const isMedia = link.media_key !== undefined || ownMedia.test(link.expanded_url ?? '')
      return [link.url, isMedia ? '' : (link[target] ?? link.expanded_url ?? link.url)]
    }),
  )
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return plain.replaceAll(shortLink, (url) => targets.get(url) ?? url)
}

/** X also makes a link of a bare domain, and then its target has a scheme and perhaps a slash at its end. */
function withoutSchemes(text: string): string {
  return text.replaceAll(/https?:\/\//gi, '').replaceAll(/\/(?=\s|$)/g, '')
}

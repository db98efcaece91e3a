import type { Client, Draft, Found, Handle } from '../kit/connector.ts'
import { isSince } from '../kit/is-since.ts'
import { readContainer } from './container.ts'
import { Listing } from './wire.ts'

type SentPost = { draft: Draft<unknown>; handle: Handle }

/** The container's state tells whether it was published, but not as which post, so that is looked up in the account's list. */
export async function findPublished(client: Client, creationId: string, sent: SentPost): Promise<Found> {
  const { status } = await readContainer(client, creationId)
  if (status === 'IN_PROGRESS') return { state: 'unknown' }
  if (status !== 'PUBLISHED') return { state: 'absent' }
  return findInLists(client, sent)
}

async function findInLists({ http, account }: Client, { draft, handle }: SentPost): Promise<Found> {
  // Meta does not document which of the two lists contains a reply to one's own post, so both are read for a reply.
  for (const list of draft.replyTo === null ? ['threads'] : ['threads', 'replies']) {
    const query = { fields: 'id,permalink,timestamp,text', limit: '50' }
    const { data } = await http.call({ method: 'GET', path: `/v1.0/${account.id}/${list}`, query, returns: Listing })
    const post = data
      .filter(({ timestamp }) => isSince(Date.parse(timestamp), handle))
      .find(({ text = '' }) => normalised(text) === normalised(draft.text))
    if (post) return { state: 'published', postId: post.id, postUrl: post.permalink ?? null }
  }
  return { state: 'unknown' }
}

function normalised(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}

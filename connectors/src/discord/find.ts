import { compareText } from '../kit/compare-text.ts'
import type { Client, Found, Sent } from '../kit/connector.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { api } from './auth.ts'
import { Messages } from './wire.ts'

const epochMs = 1_420_070_400_000
const pageSize = 100
/** Discord's clock may be ahead of ours. */
const aheadMs = 120_000

/** The number of a message begins with its time, so that a list can begin where the window ends. */
const firstIdAfter = (atMs: number) => String(BigInt(Math.max(0, Math.floor(atMs) - epochMs)) << 22n)

export function postUrlOf({ account, credentials }: Client, messageId: string): string | null {
  const guild = credentials.extra?.guild
  return guild === undefined ? null : `https://discord.com/channels/${guild}/${account.id}/${messageId}`
}

/** Searches the messages of the bot in the window, because Discord forgets a nonce after some minutes. */
export async function findAmongRecent(client: Client, sent: Sent<unknown>): Promise<Found> {
  const { http, account, credentials } = client
  const { draft, window } = sent
  let isEmpty = true
  const search = await searchListing(sent, async (cursor) => {
    const query = { limit: String(pageSize), before: cursor ?? firstIdAfter(window.untilMs + aheadMs) }
    const path = `${api}/channels/${account.id}/messages`
    const messages = await http.call({ method: 'GET', path, query, returns: Messages })
    isEmpty &&= messages.length === 0
    const posts = messages.map((message) => {
      const isOwn = message.author.id === credentials.extra?.bot
      const isSameParent = message.message_reference?.message_id === draft.replyTo?.postId
      return {
        id: message.id,
        url: postUrlOf(client, message.id),
        createdAtMs: Date.parse(message.timestamp),
        compare: () => (isOwn && isSameParent ? compareText(draft.text, message.content) : ('other' as const)),
      }
    })
    return { posts, next: messages.length < pageSize ? null : (messages.at(-1)?.id ?? null) }
  })
  // A bot that may not read the history gets an empty list instead of an error.
  return isEmpty ? { state: 'unknown' } : foundInListing(search)
}

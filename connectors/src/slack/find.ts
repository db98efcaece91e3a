import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Found, Outcome, Sent } from '../kit/connector.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { callSlack } from './errors.ts'
import { plainText, postIdOf, postUrlOf, readPostId } from './message.ts'
import { FileInfo, Messages, Share, StagedFiles } from './wire.ts'

export const eventType = 'carillon_post'

const pageSize = 200
const aheadMs = 60_000
const checkAfterMs = 2_000

type Message = Extract<Static<typeof Messages>, { ok: true }>['messages'][number]

/** Files are shared some seconds after Slack has answered. Until then they name no message. */
export async function checkShared(client: Client, fileId: string): Promise<Outcome> {
  const { http, account } = client
  const query = { file: fileId }
  const { file } = await callSlack(http, { method: 'GET', path: '/api/files.info', query, returns: FileInfo })
  const shared = [file.shares?.public, file.shares?.private].map((shares) => shares?.[account.id])
  const [share] = shared.flatMap((messages) => (Value.Check(Share, messages) ? messages : []))
  if (!share) return { state: 'processing', reference: fileId, checkAfterMs }
  const id = { ts: share.ts, threadTs: share.thread_ts }
  return { state: 'published', postId: postIdOf(id), postUrl: postUrlOf(client, id) }
}

/** A file says itself which message shows it. A message has our key in its metadata, or is compared by its text. */
export async function findMessage(client: Client, sent: Sent<unknown>): Promise<Found> {
  const [file] = Value.Check(StagedFiles, sent.staged) ? sent.staged.files : []
  if (!file) return findAmongRecent(client, sent)
  const shared = await checkShared(client, file.id)
  // It may be shared later, so this is not a proof that it was not.
  return shared.state === 'published' ? shared : { state: 'absent', proof: 'listing' }
}

async function findAmongRecent(client: Client, sent: Sent<unknown>): Promise<Found> {
  const { draft, window } = sent
  const parent = draft.replyTo && readPostId(draft.replyTo.postId)
  const threadTs = parent ? (parent.threadTs ?? parent.ts) : undefined
  const path = threadTs === undefined ? '/api/conversations.history' : '/api/conversations.replies'
  const search = await searchListing(
    sent,
    async (cursor) => {
      const query = {
        channel: client.account.id,
        ts: threadTs,
        oldest: secondsOf(window.fromMs),
        latest: secondsOf(window.untilMs + aheadMs),
        include_all_metadata: 'true',
        limit: String(pageSize),
        cursor: cursor ?? undefined,
      }
      const answer = await callSlack(client.http, { method: 'GET', path, query, returns: Messages })
      const posts = answer.messages.map((message) => {
        const id = { ts: message.ts, threadTs }
        return {
          id: postIdOf(id),
          url: postUrlOf(client, id),
          createdAtMs: Number(message.ts) * 1000,
          compare: () => (isCandidate(client, message, threadTs) ? compareMessage(sent, message) : ('other' as const)),
        }
      })
      return { posts, next: answer.response_metadata?.next_cursor || null }
    },
    { isNewestFirst: threadTs === undefined },
  )
  return foundInListing(search)
}

/** A list of answers begins with the message that they answer. */
function isCandidate({ credentials }: Client, { user, ts }: Message, threadTs: string | undefined): boolean {
  return user === credentials.extra?.user && ts !== threadTs
}

function compareMessage({ draft, handle }: Sent<unknown>, { text = '', metadata }: Message): Match {
  if (metadata?.event_type === eventType) return metadata.event_payload.key === handle.key ? 'own' : 'other'
  return compareText(draft.text, plainText(text))
}

function secondsOf(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(6)
}

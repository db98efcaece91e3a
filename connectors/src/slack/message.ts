import type { Client } from '../kit/connector.ts'

/** The id of a post is its time in the channel; that of an answer has the time of its thread before it, because answers name their thread. */
export type MessageId = { ts: string; threadTs: string | undefined }

export function readPostId(postId: string): MessageId {
  const [first = '', second] = postId.split(':')
  return second === undefined ? { ts: first, threadTs: undefined } : { ts: second, threadTs: first }
}

export function postIdOf({ ts, threadTs }: MessageId): string {
  return threadTs === undefined || threadTs === ts ? ts : `${threadTs}:${ts}`
}

/** The address that `chat.getPermalink` returns. It is made here, because no call may follow the one that publishes. */
export function postUrlOf({ account, credentials }: Client, { ts, threadTs }: MessageId): string | null {
  const workspace = URL.parse(credentials.extra?.url ?? '')
  if (workspace?.protocol !== 'https:' || !workspace.hostname.endsWith('.slack.com')) return null
  const query = threadTs === undefined || threadTs === ts ? '' : `?thread_ts=${threadTs}&cid=${account.id}`
  return `${workspace.origin}/archives/${account.id}/p${ts.replace('.', '')}${query}`
}

/** These three have a meaning in a text, and nothing that a person wrote is meant as one. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The text as it was sent: Slack puts links in brackets, with what is shown after a bar. */
export function plainText(text: string): string {
  const bare = text.replaceAll(
    /<(https?:\/\/[^<>|]+|mailto:[^<>|]+)(?:\|([^<>]*))?>/g,
    (_, url: string, shown?: string) => shown ?? url,
  )
  return bare.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

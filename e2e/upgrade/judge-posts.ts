import type { ApiPost } from '../chaos/client/api-post.ts'
import type { Violation } from '../chaos/judge/violation.ts'
import type { Submit } from '../chaos/stack/simulator-control.ts'
import type { SentPost } from './start-traffic.ts'

type Evidence = { sent: readonly SentPost[]; posts: readonly ApiPost[]; submits: readonly Submit[] }

/**
 * No platform fails in this drill, so there is no excuse: every channel is a success, and its platform was asked exactly once. Calls are
 * counted, not posts, because a platform that recognises a repeat would hide it.
 */
export function judgePosts({ sent, posts, submits }: Evidence): Violation[] {
  const postOf = new Map(posts.map((post) => [post.text, post]))
  const callsOf = Map.groupBy(submits, ({ platform, account, text }) => `${platform} ${account} ${text}`)
  return sent.flatMap(({ text, accounts }): Violation[] => {
    const post = postOf.get(text)
    if (!post) return [{ kind: 'missing', text, detail: 'the API accepted it and does not know it any more' }]
    return accounts.flatMap(({ platform, handle, slug }) => {
      const calls = callsOf.get(`${platform} ${handle} ${text}`) ?? []
      const status = post.channels.find(({ connection }) => connection === slug)?.status ?? 'missing'
      return judgeChannel({ calls, status }).map(([kind, detail]) => ({ kind, text, detail: `${slug}: ${detail}` }))
    })
  })
}

function judgeChannel({ calls, status }: { calls: readonly Submit[]; status: string }): [Violation['kind'], string][] {
  const outcomes = calls.map(({ outcome }) => outcome).join(', ')
  const isLive = calls.some(({ outcome }) => outcome === 'created')
  return [
    ...(isLive ? [] : [['lost', `it is ${status} and not on the platform (calls: ${outcomes || 'none'})`] as const]),
    ...(calls.length > 1 ? [['doubled', `the platform was asked ${calls.length} times (${outcomes})`] as const] : []),
    ...(isLive && status !== 'success' ? [['mismatch', `it is on the platform, and the API says ${status}`] as const] : []),
  ].map(([kind, detail]) => [kind, detail])
}

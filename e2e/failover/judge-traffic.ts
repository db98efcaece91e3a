import type { ApiChannel } from '../chaos/client/api-post.ts'
import { isPublished } from '../chaos/judge/findings.ts'
import type { Submit } from '../chaos/stack/simulator-control.ts'
import type { DrillPost } from './traffic.ts'

/** What the database may have forgotten: everything that was accepted in this time. */
export type LostTime = { fromMs: number; untilMs: number }

export type Evidence = {
  posts: readonly DrillPost[]
  /** The channel of each post as the API shows it; undefined if the API does not know the post. */
  channelOf(post: DrillPost): ApiChannel | undefined
  /** Every publishing call that reached a platform. */
  submits: readonly Submit[]
  lost: LostTime | null
}

export type DrillFigures = {
  posts: number
  calls: number
  carriedOut: number
  lost: number
  doubled: number
  /** States that differ from the platform's record. */
  false: number
  unconfirmed: number
  /** Accepted, and gone with a database that went back. */
  forgotten: number
  /** The longest time between two published posts. Posts were due all the time. */
  secondsWithoutPublishing: number
  latenessP50Seconds: number
  latenessP99Seconds: number
  violations: string[]
}

/** Compares what the clients were promised and what the API says with the platforms' own record. */
export function judgeTraffic({ posts, channelOf, submits, lost }: Evidence): DrillFigures {
  const published = submits.filter(isPublished)
  const cases = posts.map((post) => {
    const own = published.filter(({ text, platform }) => text === post.text && platform === post.platform)
    return { post, own, verdict: judge(post, channelOf(post), own.length, lost) }
  })
  const count = (kind: Verdict['kind']) => cases.filter(({ verdict }) => verdict.kind === kind).length
  const lateness = cases
    .flatMap(({ post: { dueMs, accepted }, own: [first] }) =>
      first ? [Math.max(0, first.atMs - Math.max(dueMs, accepted?.atMs ?? dueMs))] : [],
    )
    .toSorted((a, b) => a - b)
  return {
    posts: posts.length,
    calls: submits.length,
    carriedOut: published.length,
    lost: count('lost'),
    doubled: count('doubled'),
    false: count('false'),
    unconfirmed: count('unconfirmed'),
    forgotten: count('forgotten'),
    secondsWithoutPublishing: seconds(longestGap(published.map(({ atMs }) => atMs))),
    latenessP50Seconds: seconds(quantile(lateness, 0.5)),
    latenessP99Seconds: seconds(quantile(lateness, 0.99)),
    violations: cases.flatMap(({ post, verdict }) =>
      verdict.kind === 'lost' || verdict.kind === 'doubled' || verdict.kind === 'false'
        ? [`${verdict.kind}: ${post.text} on ${post.platform}: ${verdict.detail}`]
        : [],
    ),
  }
}

type Verdict = { kind: 'right' | 'lost' | 'doubled' | 'false' | 'unconfirmed' | 'forgotten'; detail: string }

function judge(post: DrillPost, channel: ApiChannel | undefined, published: number, lost: LostTime | null): Verdict {
  const verdict = (kind: Verdict['kind'], detail = ''): Verdict => ({ kind, detail })
  if (published > 1) return verdict('doubled', `the platform published it ${published} times`)
  if (!post.accepted) return verdict('lost', `the API never accepted it: ${post.refusal ?? 'no answer'}`)
  const { atMs } = post.accepted
  if (!channel) {
    const isForgotten = lost !== null && atMs >= lost.fromMs && atMs <= lost.untilMs
    return isForgotten ? verdict('forgotten') : verdict('lost', 'the API does not know it')
  }
  switch (channel.status) {
    case 'success':
      return published === 1 ? verdict('right') : verdict('false', 'the channel says success, the platform has nothing')
    case 'unconfirmed':
      return verdict('unconfirmed')
    default: {
      const says = `the channel says ${channel.status} (${channel.errorCode})`
      return published === 1 && channel.status === 'failed'
        ? verdict('false', `${says}, the platform has it`)
        : verdict('lost', says)
    }
  }
}

function longestGap(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.max(0, ...sorted.slice(1).map((atMs, n) => atMs - (sorted[n] ?? atMs)))
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10
}

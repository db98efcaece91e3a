import type { AccountCalls } from '../stack/simulator-control.ts'
import type { ChannelCase } from './channel-case.ts'
import type { Findings } from './findings.ts'
import type { Violation } from './violation.ts'

/**
 * Publishing calls for one channel. A post is tried after 5, 20, 60, 180 and 600 s, and once a second while a platform asks for that, which
 * the faults of a seed do for some seconds; a platform that recognises repeats gets six more for an answer that was lost.
 */
const submitsMax = 25
/** The service promises ten. */
const commentsMax = 10
/**
 * Questions about one channel and its comment: every 15 s for a minute, and then ten times with longer waits. A question can be two calls, and
 * a container is asked about every few seconds while the platform processes it.
 */
const findsMax = 60
const checksMax = 200

/** A service that calls without end breaks no other promise, but platforms block it. */
export function judgeBudgets({ accountCalls }: Findings, cases: readonly ChannelCase[]): Violation[] {
  const calls = cases.flatMap(({ expected, slug, groupCalls, commentSubmits, isLast }) => {
    const rounds = 1 + expected.requests.retry + expected.requests.resolve
    return [
      ...judge(expected.text, `${slug}: publishing calls`, groupCalls, submitsMax * rounds),
      ...judge(expected.text, `${slug}: calls for the first comment`, isLast ? commentSubmits.length : 0, commentsMax * rounds),
    ]
  })
  const byAccount = Map.groupBy(cases, ({ platform, handle }) => `${platform} ${handle}`)
  const questions = [...byAccount].flatMap(([account, channels]) => [
    ...judge(account, 'questions', countOf(accountCalls, account, 'find'), findsMax * channels.length),
    ...judge(account, 'questions about media', countOf(accountCalls, account, 'check'), checksMax * channels.length),
  ])
  return [...calls, ...questions]
}

function judge(text: string, what: string, count: number, max: number): Violation[] {
  return count <= max ? [] : [{ kind: 'calls', text, detail: `${what}: ${count}, at most ${max} are needed` }]
}

function countOf(calls: readonly AccountCalls[], account: string, operation: string): number {
  const own = calls.filter((each) => `${each.platform} ${each.account}` === account && each.operation === operation)
  return own.reduce((sum, { count }) => sum + count, 0)
}

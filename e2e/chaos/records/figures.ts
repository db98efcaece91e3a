import { channelCases } from '../judge/channel-case.ts'
import { isTimed } from '../judge/judge-channels.ts'
import type { Violation } from '../judge/violation.ts'
import type { FinishedSeed } from '../run-seed.ts'

/** The figures of a seed, which are printed and recorded. */
export type Figures = {
  seed: number
  posts: number
  channels: number
  /** Publishing calls that reached a platform, and how many of them it carried out. */
  calls: number
  carriedOut: number
  stackFaults: number
  platformFaults: number
  unconfirmed: number
  /** Unconfirmed channels whose answer no process can have had; the others were forgotten by a process that was killed. */
  unanswered: number
  /** Channels that were judged for being on time: no fault was in their way. */
  timed: number
  lost: number
  doubled: number
  /** States that differ from the platform's record. */
  false: number
  events: number
  other: number
  /** From the first request until no post changes any more. */
  seconds: number
}

const falseKinds: readonly Violation['kind'][] = ['mismatch', 'unconfirmed', 'stopped']

export function figuresOf(finished: FinishedSeed, violations: readonly Violation[]): Figures {
  const { plan, seed, expectedPosts, faultCounts, findings, unconfirmed, unanswered, finishedMs } = finished
  const count = (kinds: readonly Violation['kind'][]) => violations.filter(({ kind }) => kinds.includes(kind)).length
  const [lost, doubled, untrue, events] = [count(['lost']), count(['doubled']), count(falseKinds), count(['event'])]
  return {
    seed,
    posts: expectedPosts.length,
    channels: expectedPosts.reduce((sum, { connections }) => sum + connections.length, 0),
    calls: findings.submits.length,
    carriedOut: findings.submits.filter(({ outcome }) => outcome === 'created' || outcome === 'dropped_after').length,
    stackFaults: plan.stackFaults.length,
    platformFaults: faultCounts.total,
    unconfirmed,
    unanswered,
    timed: channelCases(findings).filter(isTimed).length,
    lost,
    doubled,
    false: untrue,
    events,
    other: violations.length - lost - doubled - untrue - events,
    seconds: Math.round(finishedMs / 100) / 10,
  }
}

export function isClean({ lost, doubled, false: untrue, events, other }: Figures): boolean {
  return lost + doubled + untrue + events + other === 0
}

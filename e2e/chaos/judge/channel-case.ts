import type { ApiChannel, ApiPost } from '../client/api-post.ts'
import type { PermissionChange } from '../client/drive-connection.ts'
import { postOf, type ExpectedPost } from '../client/expected-post.ts'
import { disturbancesBetween } from '../faults/disturbance.ts'
import type { PlatformFaultKind } from '../plan/fault-kinds.ts'
import type { Platform, Proof } from '../plan/platform-traits.data.ts'
import { isSameAccount, isSameSlot, proofOf } from '../plan/slot.ts'
import type { Submit } from '../stack/simulator-control.ts'
import type { Findings } from './findings.ts'
import { shareOutCalls } from './share-out-calls.ts'

/** Everything that one channel is judged by. */
export type ChannelCase = {
  expected: ExpectedPost
  platform: Platform
  handle: string
  proof: Proof
  slug: string
  post: ApiPost | undefined
  channel: ApiChannel | undefined
  /** The publishing calls for this channel, oldest first, without its comment. */
  submits: Submit[]
  /** Those that the platform carried out. */
  published: Submit[]
  /** How many calls there were for each of the channels with these words on this account. */
  groupCalls: number
  /** Other channels have the same words on the same account. */
  sharesWords: boolean
  commentSubmits: Submit[]
  /** The kinds of faults that its account had. */
  faultKinds: Set<PlatformFaultKind>
  /** Whether a question to the platform about it may have failed. */
  hasFailedQuestions: boolean
  /** Whether its account had faults of other calls that can make a post late. */
  hasDelays: boolean
  permission: PermissionChange | undefined
  /** Whether a fault of the stack can have been in the way between these times. */
  isDisturbed(fromMs: number, untilMs: number): boolean
  /** Whether the process that made the call was killed before it could store the answer. */
  diedWithAnswer(call: Submit): boolean
  /** Whether a worker was killed between these times. */
  diedBetween(fromMs: number, untilMs: number): boolean
  /** Whether an attempt left no call, and a process was killed that can have been about to make it. */
  diedBeforeCall: boolean
  nowMs: number
  slowness: number
}

/** How long a process needs to store an answer, if the database and the engine work. */
const storedAfterMs = 5000
/** A process may send what it has claimed for this long; the time of an attempt is known only if it was a minute late or more. */
const leaseMs = 15_000
const unknownLateMs = 60_000

export function channelCases(findings: Findings): ChannelCase[] {
  const { expectedPosts, posts, submits, accounts, plannedFaults, faultCounts, permissionChanges, nowMs, slowness } = findings
  const wanted = expectedPosts.flatMap((expected) => {
    const post = postOf(expected, posts)
    return expected.plan.slots.map((slot, at) => {
      const { platform, handle } = accounts.of(slot)
      const slug = expected.connections[at] ?? ''
      const channel = post?.channels.find(({ connection }) => connection === slug)
      return { expected, slot, platform, handle, slug, post, channel, place: `${platform} ${handle} ${expected.text}` }
    })
  })
  const groups = [...Map.groupBy(wanted, ({ place }) => place).values()]
  return groups.flatMap((group) => {
    const [one] = group
    if (!one) return []
    const { platform, handle, expected: first } = one
    const own = submits.filter((submit) => submit.platform === platform && submit.account === handle)
    const ofGroup = own.filter(({ text, replyTo }) => text === first.text && replyTo === null)
    const shares = shareOutCalls(
      group.map(({ channel }) => channel),
      ofGroup,
    )
    return group.map(({ expected, slot, slug, post, channel }, at): ChannelCase => {
      const { submits: calls, published } = shares[at] ?? { submits: [], published: [] }
      const faults = plannedFaults.filter((fault) => isSameAccount(fault, slot))
      return {
        expected,
        platform,
        handle,
        proof: proofOf(slot),
        slug,
        post,
        channel,
        submits: calls,
        published,
        groupCalls: ofGroup.length / group.length,
        sharesWords: group.length > 1,
        commentSubmits: expected.comment === null ? [] : own.filter(({ text }) => text === expected.comment),
        faultKinds: new Set(faults.flatMap(({ kinds }) => kinds)),
        hasFailedQuestions: (['find', 'check', 'any'] as const).some((operation) => faultCounts.of(slot, operation) > 0),
        hasDelays: (['stage', 'check', 'any'] as const).some((operation) => faultCounts.of(slot, operation) > 0),
        permission: permissionChanges.find((change) => isSameSlot(change, slot)),
        isDisturbed: (fromMs, untilMs) => disturbancesBetween(findings.disturbances, { fromMs, untilMs, slowness }).length > 0,
        diedBetween: (fromMs, untilMs) => workersDied(findings, fromMs, untilMs),
        diedWithAnswer: (call) => diedWithAnswer(findings, call),
        diedBeforeCall: channel !== undefined && channel.attempts > calls.length && diedBeforeCall(findings, expected, channel),
        nowMs,
        slowness,
      }
    })
  })
}

function diedWithAnswer({ deaths, callers, disturbances, slowness }: Findings, { host, atMs, answeredAtMs }: Submit): boolean {
  const answeredMs = answeredAtMs ?? atMs
  const caller = host === null ? undefined : callers[host]
  // Without a database the process keeps the answer until it is back.
  const waits = disturbancesBetween(disturbances, {
    fromMs: answeredMs,
    untilMs: answeredMs + storedAfterMs * slowness,
    slowness,
  })
  const storedByMs =
    Math.max(answeredMs, ...waits.map(({ untilMs }) => (untilMs === 0 ? Infinity : untilMs))) + storedAfterMs * slowness
  return deaths.some((death) => (caller === undefined || death.part === caller) && death.atMs >= atMs && death.atMs <= storedByMs)
}

/** Between the guard and the call a worker was killed, or its connection to the database broke while it set the guard. */
function diedBeforeCall(findings: Findings, { earliestMs }: ExpectedPost, { lateMs }: ApiChannel): boolean {
  const { disturbances, slowness } = findings
  const fromMs = earliestMs + (lateMs ?? 0) - 2000
  const untilMs = earliestMs + (lateMs ?? unknownLateMs) + leaseMs * slowness
  const guards = disturbancesBetween(disturbances, { fromMs, untilMs, slowness }).filter(({ kind }) => kind.endsWith('database'))
  return guards.length > 0 || workersDied(findings, fromMs, untilMs)
}

function workersDied({ deaths, callers }: Findings, fromMs: number, untilMs: number): boolean {
  const workers = new Set(Object.values(callers))
  return deaths.some(({ part, atMs }) => workers.has(part) && atMs >= fromMs && atMs <= untilMs)
}

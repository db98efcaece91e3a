import type { ApiChannel, ApiPost } from '../client/api-post.ts'
import type { PermissionChange } from '../client/drive-connection.ts'
import { postOf, type ExpectedPost } from '../client/expected-post.ts'
import { disturbancesBetween } from '../faults/disturbance.ts'
import type { Platform, Proof } from '../plan/platform-traits.ts'
import { isSameSlot, proofOf } from '../plan/slot.ts'
import type { Submit } from '../stack/simulator-control.ts'
import type { Findings } from './findings.ts'
import { shareOutCalls } from './share-out-calls.ts'

/** Everything that one channel is judged by, or one post of a channel that is a thread. */
export type ChannelCase = {
  expected: ExpectedPost
  platform: Platform
  handle: string
  proof: Proof
  slug: string
  post: ApiPost | undefined
  /** Of a thread: with the result of this one post. */
  channel: ApiChannel | undefined
  /** The post before it in its thread. Null for the first one, which is most often the only one. */
  before: ChannelCase | null
  isLast: boolean
  /** The publishing calls for this channel, oldest first, without its comment. */
  submits: Submit[]
  /** Those that the platform carried out. */
  published: Submit[]
  /** How many calls there were for each of the channels with these words on this account. */
  groupCalls: number
  /** Other channels have the same words on the same account. */
  sharesWords: boolean
  commentSubmits: Submit[]
  /** Whether a question to the platform about it may have failed. */
  hasFailedQuestions: boolean
  /** Whether its account had faults of other calls that can make a post late. */
  hasDelays: boolean
  permission: PermissionChange | undefined
  /** Whether a fault of the stack can have been in the way between these times. */
  isDisturbed(fromMs: number, untilMs: number): boolean
  /** The same for being late, which is judged by how busy the machine was then. */
  isDelayed(fromMs: number, untilMs: number): boolean
  /** Whether the process that made the call was killed before it could store the answer. */
  diedWithAnswer(call: Submit): boolean
  /** Whether a worker was killed between these times. */
  diedBetween(fromMs: number, untilMs: number): boolean
  /** Whether an attempt left no call, and a process was killed that can have been about to make it. */
  diedBeforeCall: boolean
  nowMs: number
  slowness: number
  calmSlowness: number
}

/** How long a process needs to store an answer, if the database and the engine work. */
const storedAfterMs = 5000
/** A process may send what it has claimed for this long; the time of an attempt is known only if it was a minute late or more. */
const leaseMs = 15_000
const unknownLateMs = 60_000

export function channelCases(findings: Findings): ChannelCase[] {
  const { expectedPosts, posts, submits, accounts, faultCounts, permissionChanges, nowMs, slowness, calmSlowness } = findings
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
    return group.flatMap(({ expected, slot, slug, post, channel }, at): ChannelCase[] => {
      const { submits: calls, published } = shares[at] ?? { submits: [], published: [] }
      const whole: ChannelCase = {
        expected,
        platform,
        handle,
        proof: proofOf(slot),
        slug,
        post,
        channel: partOf(channel, 0),
        before: null,
        isLast: expected.thread.length === 0,
        submits: calls,
        published,
        groupCalls: ofGroup.length / group.length,
        sharesWords: group.length > 1,
        commentSubmits: expected.comment === null ? [] : own.filter(({ text }) => text === expected.comment),
        hasFailedQuestions: (['find', 'check', 'any'] as const).some((operation) => faultCounts.of(slot, operation) > 0),
        hasDelays: (['stage', 'check', 'any'] as const).some((operation) => faultCounts.of(slot, operation) > 0),
        permission: permissionChanges.find((change) => isSameSlot(change, slot)),
        isDisturbed: (fromMs, untilMs) => disturbancesBetween(findings.disturbances, { fromMs, untilMs, slowness }).length > 0,
        isDelayed: (fromMs, untilMs) =>
          disturbancesBetween(findings.disturbances, { fromMs, untilMs, slowness: calmSlowness }).length > 0,
        diedBetween: (fromMs, untilMs) => workersDied(findings, fromMs, untilMs),
        diedWithAnswer: (call) => diedWithAnswer(findings, call),
        diedBeforeCall: channel !== undefined && channel.attempts > calls.length && diedBeforeCall(findings, expected, channel),
        nowMs,
        slowness,
        calmSlowness,
      }
      return [whole, ...furtherCases(findings, whole, channel, own)]
    })
  })
}

/** The channel as if one post of its thread were all of it. */
function partOf(channel: ApiChannel | undefined, at: number): ApiChannel | undefined {
  if (!channel || channel.parts.length === 0) return channel
  return { ...channel, ...(channel.parts[at] ?? { status: 'missing', postId: null, errorCode: null }) }
}

function furtherCases(
  findings: Findings,
  first: ChannelCase,
  channel: ApiChannel | undefined,
  calls: readonly Submit[],
): ChannelCase[] {
  const { thread } = first.expected
  const cases: ChannelCase[] = []
  for (const [at, text] of thread.entries()) {
    const before = cases.at(-1) ?? first
    const part = partOf(channel, at + 1)
    const own = calls.filter((call) => call.text === text)
    const [share = { submits: [], published: [] }] = shareOutCalls([part], own)
    // The API counts no attempts of a further post. It is not tried before the one that it answers.
    const fromMs = before.published[0]?.atMs ?? findings.nowMs
    cases.push({
      ...first,
      channel: part,
      before,
      isLast: at === thread.length - 1,
      submits: share.submits,
      published: share.published,
      groupCalls: own.length,
      diedBeforeCall: diedBetweenGuardAndCall(findings, fromMs, fromMs + unknownLateMs + leaseMs * findings.slowness),
    })
  }
  return cases
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
  const fromMs = earliestMs + (lateMs ?? 0) - 2000
  return diedBetweenGuardAndCall(findings, fromMs, earliestMs + (lateMs ?? unknownLateMs) + leaseMs * findings.slowness)
}

function diedBetweenGuardAndCall(findings: Findings, fromMs: number, untilMs: number): boolean {
  const { disturbances, slowness } = findings
  const guards = disturbancesBetween(disturbances, { fromMs, untilMs, slowness }).filter(({ kind }) => kind.endsWith('database'))
  return guards.length > 0 || workersDied(findings, fromMs, untilMs)
}

function workersDied({ deaths, callers }: Findings, fromMs: number, untilMs: number): boolean {
  const workers = new Set(Object.values(callers))
  return deaths.some(({ part, atMs }) => workers.has(part) && atMs >= fromMs && atMs <= untilMs)
}

import { postOf } from '../client/expected-post.ts'
import { delayMsMax } from '../plan/plan-platform-faults.ts'
import { traitsOf } from '../plan/platform-traits.ts'
import { channelCases, type ChannelCase } from './channel-case.ts'
import { isDoubtful, isCarriedOut, isRefusal, type Findings } from './findings.ts'
import { judgeBudgets } from './budgets.ts'
import { canBeUnconfirmed } from './can-be-unconfirmed.ts'
import type { Violation, ViolationKind } from './violation.ts'

type Verdict = [ViolationKind, string]

/** Different programs read the same clock, and each rounds to milliseconds. */
const clockSlackMs = 1
/** How long after a stop a call that was already being made may still take effect: the longest planned delay, plus a margin. */
const inFlightMs = delayMsMax + 3000
/** A process that was paused may still send for this long what it had claimed before. */
const claimMs = 20_000
/** How long TikTok may take to fetch the pictures of a post. */
const fetchMs = 30_000
const lateMsMax = { text: 5000, media: 15_000 }
/** The careful workspace's setting, and the time between the decision to send and the call. */
const holdAfterMs = 60_000
const holdSlackMs = 20_000

/** Compares the API's state with the platforms' own record. Every violation that it returns is a broken promise. */
export function judgeChannels(findings: Findings): Violation[] {
  const cases = channelCases(findings)
  const channels = cases.flatMap((each) =>
    [...judgeCalls(each), ...(each.before ? judgeFurther(each, each.before) : [...judgeTime(each), ...judgeState(each)])].map(
      ([kind, detail]): Violation => ({
        kind,
        text: each.expected.text,
        detail: `${each.slug}${each.before ? `, post ${placeOf(each)} of its thread` : ''}: ${detail}`,
      }),
    ),
  )
  return [
    ...judgeList(findings),
    ...judgeStrays(findings),
    ...judgeThreads(findings),
    ...channels,
    ...judgeIds(cases),
    ...judgeBudgets(findings, cases),
  ]
}

/** Nothing may be published that no post asks for: another text, or on another account. */
function judgeStrays({ expectedPosts, submits, accounts }: Findings): Violation[] {
  return submits.filter(isCarriedOut).flatMap((submit): Violation[] => {
    const { text, platform, account } = submit
    const wanted = expectedPosts.filter((each) => each.text === text || each.thread.includes(text) || each.comment === text)
    const isWanted = wanted.some(({ plan }) =>
      plan.slots.some((slot) => slot.platform === platform && accounts.of(slot).handle === account),
    )
    return isWanted ? [] : [{ kind: 'mismatch', text, detail: `published on ${platform} as ${account}, which no post asks for` }]
  })
}

/** GET /content must list every accepted and not deleted post once, and no other. */
function judgeList({ expectedPosts, posts }: Findings): Violation[] {
  return [...Map.groupBy(expectedPosts, ({ text }) => text)].flatMap(([text, expected]): Violation[] => {
    const found = posts.filter((post) => post.text === text)
    const wanted = expected.filter(({ requestId, intent }) => requestId !== null && intent !== 'deleted').length
    if (found.length === wanted) return []
    const kind = found.length < wanted ? 'missing' : wanted > 0 ? 'doubled' : 'mismatch'
    return [{ kind, text, detail: `GET /content lists it ${found.length} times, expected ${wanted}` }]
  })
}

/** A repeat that the platform recognised and answered with the first post does not count as a second. */
function judgeCalls({ published, submits }: ChannelCase): Verdict[] {
  if (published.length <= 1) return []
  const times = published.map(({ atMs, outcome }) => `${outcome} at ${new Date(atMs).toISOString()}`).join(', ')
  return [['doubled', `the platform carried out ${published.length} of ${submits.length} calls: ${times}`]]
}

/** A further post of a thread answers the one before it, or the first, and the one before it must be known to be there. */
function judgeFurther(each: ChannelCase, before: ChannelCase): Verdict[] {
  const { channel, expected, published, submits } = each
  const answered = traitsOf(each.platform).answersFirst ? firstOf(before) : before
  // An album has the ids of all its messages, and an answer is one to the first of them.
  const ids = [...new Set(answered.published.flatMap(({ postId }) => [postId, postId?.split(',')[0] ?? null]))]
  const strays = published.filter(({ replyTo }) => !ids.includes(replyTo))
  if (strays.length > 0) return [['mismatch', `an answer to ${strays[0]?.replyTo}, and not to ${ids.join(', ') || 'a post'}`]]
  if (expected.intent !== 'publish' || before.channel === undefined) return judgeState(each)
  if (before.channel.status !== 'success')
    return submits.length > 0 ? [['mismatch', `sent although the post before it is ${before.channel.status}`]] : []
  if (before.channel.postId === null) {
    const isStopped = channel?.status === 'failed' && channel.errorCode === 'not_published' && submits.length === 0
    return isStopped ? [] : [['mismatch', `${channel?.status}, with nothing that it could answer`]]
  }
  return judgeState(each)
}

function firstOf(each: ChannelCase): ChannelCase {
  return each.before ? firstOf(each.before) : each
}

function placeOf({ before }: ChannelCase): number {
  return before ? placeOf(before) + 1 : 1
}

/** A thread is a success if all of its posts are, and has the status of the first that is not. */
function judgeThreads({ expectedPosts, posts }: Findings): Violation[] {
  return expectedPosts.flatMap((expected): Violation[] => {
    const { thread, text } = expected
    return (postOf(expected, posts)?.channels ?? []).flatMap(({ connection, status, parts }): Violation[] => {
      const count = thread.length === 0 ? 0 : thread.length + 1
      if (parts.length !== count)
        return [{ kind: 'mismatch', text, detail: `${connection}: ${parts.length} parts, ${count} expected` }]
      const wanted = parts.find((part) => part.status !== 'success')?.status ?? 'success'
      if (count === 0 || !isEnded(wanted) || status === wanted) return []
      return [
        {
          kind: 'mismatch',
          text,
          detail: `${connection}: ${status}, but its posts are ${parts.map((part) => part.status).join(', ')}`,
        },
      ]
    })
  })
}

function isEnded(status: string): boolean {
  return ['success', 'failed', 'unconfirmed', 'canceled'].includes(status)
}

function judgeTime(each: ChannelCase): Verdict[] {
  const { expected, published, submits, slowness, calmSlowness } = each
  const [first] = published
  if (!first || expected.intent !== 'publish') return []
  const lateMs = first.atMs - expected.earliestMs
  if (lateMs < -clockSlackMs) return [['early', `published ${-lateMs} ms before its time`]]
  // A person who retries a post wants it published although it is late.
  const wasRetried = expected.requests.retry > 0
  // What was sent once and may be published is repeated however late.
  const sentMs = Math.min(first.atMs, ...submits.filter(isDoubtful).map(({ atMs }) => atMs))
  const sentLateMs = sentMs - Math.max(expected.earliestMs, expected.acceptedMs)
  if (expected.workspace === 'careful' && !wasRetried && sentLateMs > holdAfterMs + holdSlackMs * slowness)
    return [['late', `sent ${sentLateMs} ms late in a workspace that holds posts which are ${holdAfterMs} ms late`]]
  const allowedMs = lateMsMax[expected.plan.kind === 'text' ? 'text' : 'media'] * calmSlowness
  return isTimed(each) && lateMs > allowedMs ? [['late', `published ${lateMs} ms late, and no fault was in the way`]] : []
}

/** Whether a channel must be on time: no fault of its own calls, of its account or of the stack was in the way of its first publication. */
export function isTimed({ expected, before, submits, published, hasDelays, permission, isDelayed }: ChannelCase): boolean {
  const [first] = published
  if (!first || before || expected.intent !== 'publish') return false
  const hadFaults = submits.some(({ atMs, fault }) => fault !== null && atMs <= first.atMs)
  const lostPermission = permission?.lostAtMs !== undefined && permission.lostAtMs !== null && permission.lostAtMs <= first.atMs
  return !hadFaults && !hasDelays && !lostPermission && !isDelayed(expected.earliestMs - 2000, first.atMs)
}

function judgeState(each: ChannelCase): Verdict[] {
  const { expected, channel, published } = each
  const [first] = published
  if (expected.requestId === null) return first ? [['mismatch', 'published although the create was rejected']] : []
  if (expected.intent === 'stopped') return first ? [['stopped', 'published although it was unscheduled or a draft']] : []
  if (expected.intent === 'deleted') return judgeDeleted(each)
  if (!channel) return [['missing', 'the channel is not in the answer']]
  switch (channel.status) {
    case 'success':
      return first
        ? [...judgeId(each), ...judgeDisconnected(each)]
        : [['lost', 'the channel says success, the platform has nothing']]
    case 'failed':
      return judgeFailed(each)
    case 'canceled':
      if (first) return [['mismatch', 'the channel says canceled, the platform has it']]
      return each.permission?.kind === 'disconnect' ? [] : [['lost', 'canceled although its account was not disconnected']]
    case 'unconfirmed':
      return canBeUnconfirmed(each) ? [] : [['unconfirmed', describeUnconfirmed(each)]]
    default:
      return judgeUnfinished(each)
  }
}

/** The post that the channel names must be its own. TikTok names another id than that of the post. */
function judgeId({ platform, channel, published }: ChannelCase): Verdict[] {
  const ids = published.flatMap(({ postId }) => postId ?? [])
  const isKnown = ids.length > 0 && platform !== 'tiktok'
  if (!isKnown || !channel || channel.postId === null || ids.includes(channel.postId)) return []
  return [['mismatch', `the channel names the post ${channel.postId}, the platform has ${ids.join(', ')}`]]
}

/** A post on a platform belongs to one channel, whatever its workspace and connection. */
function judgeIds(cases: readonly ChannelCase[]): Violation[] {
  const named = cases.filter(({ channel }) => channel?.status === 'success' && channel.postId !== null)
  const byPost = Map.groupBy(named, ({ platform, handle, channel }) => `${platform} ${handle} ${channel?.postId}`)
  return [...byPost.values()].flatMap(([first, ...others]): Violation[] => {
    if (!first || others.length === 0) return []
    const detail = `${others.length + 1} channels name the post ${first.channel?.postId} of ${first.slug}`
    return [{ kind: 'mismatch', text: first.expected.text, detail }]
  })
}

function judgeFailed({ platform, channel, published, submits, permission, expected, isDisturbed }: ChannelCase): Verdict[] {
  const code = channel?.errorCode ?? 'no code'
  if (published.length > 0) return [['mismatch', `the channel says failed (${code}), the platform has it`]]
  const last = submits.at(-1)
  const wasRefused = last !== undefined && isRefusal(last)
  // The files are fetched from our API, which a fault of the stack can stop.
  const wasNotFetched =
    traitsOf(platform).fetchesLater === true &&
    submits.some((submit) => isCarriedOut(submit) && isDisturbed(submit.atMs, submit.atMs + fetchMs))
  const wasExpired = submits.some(({ fault }) => fault === 'expired_token')
  const isExplained =
    (code === 'content_rejected' && (wasRefused || wasNotFetched)) ||
    (code === 'reconnect_needed' && (wasExpired || permission?.kind === 'token revoked')) ||
    (code === 'connection_removed' && permission?.kind === 'disconnect') ||
    (code === 'not_published' && expected.requests.resolve > 0)
  return isExplained ? [] : [['lost', `failed without a reason on the platform: ${code}`]]
}

/** Not final: it may wait for a time in days, or be held as a draft because it became too late. */
function judgeUnfinished({ expected, channel, post, published, permission, nowMs }: ChannelCase): Verdict[] {
  const [first] = published
  const waitsForDays = expected.earliestMs > nowMs + 3_600_000
  const isHeld = expected.workspace === 'careful' && post?.status === 'draft' && nowMs - expected.earliestMs > holdAfterMs
  const waitsForPerson = permission?.kind === 'token revoked' && permission.regainedAtMs === null
  if (!first && (waitsForDays || isHeld || waitsForPerson)) return []
  return [[first ? 'stuck' : 'lost', `the channel is still ${channel?.status}, the post ${post?.status}`]]
}

function judgeDeleted({ expected, published, isDisturbed }: ChannelCase): Verdict[] {
  const { stoppedAtMs, earliestMs } = expected
  const [first] = published
  if (!first || stoppedAtMs === null) return []
  if (stoppedAtMs < earliestMs)
    return [['stopped', `published although it was deleted ${earliestMs - stoppedAtMs} ms before its time`]]
  // Deleting does not stop a call that was already sent, but no call may be sent afterwards.
  const afterMs = first.atMs - stoppedAtMs
  return afterMs > inFlightMs + (isDisturbed(stoppedAtMs, first.atMs) ? claimMs : 0)
    ? [['stopped', `published ${afterMs} ms after it was deleted`]]
    : []
}

/** After an account was disconnected, no call may be made that was not already on its way. */
function judgeDisconnected({ permission, published, isDisturbed }: ChannelCase): Verdict[] {
  const [first] = published
  if (permission?.kind !== 'disconnect' || permission.lostAtMs === null || !first) return []
  if (permission.regainedAtMs !== null && first.atMs > permission.regainedAtMs) return []
  const afterMs = first.atMs - permission.lostAtMs
  return afterMs > inFlightMs + (isDisturbed(permission.lostAtMs, first.atMs) ? claimMs : 0)
    ? [['stopped', `published ${afterMs} ms after its account was disconnected`]]
    : []
}

function describeUnconfirmed({ submits, published }: ChannelCase): string {
  const calls = submits.map(({ outcome, fault }) => `${outcome}${fault === null ? '' : ` (${fault})`}`).join(', ')
  return `unconfirmed although ${published.length > 0 ? 'the platform can show it' : 'nothing was in doubt'}; calls: ${calls || 'none'}`
}

import type { PostView } from '@carillon/simulator'
import type { AccountSet } from './account-sets.ts'
import { delayMsMax } from './plan-faults.ts'
import type { ApiChannel, ApiPost } from './api-post.ts'
import type { ExpectedPost } from './expected-post.ts'
import type { Violation, ViolationKind } from './violation.ts'
import type { FaultCounts } from './inject-faults.ts'

/** What definite answers promised, what the API says now, and what the platforms show. */
export type Findings = {
  expectedPosts: readonly ExpectedPost[]
  posts: readonly ApiPost[]
  platformPosts: readonly PostView[]
  accounts: AccountSet
  faultCounts: FaultCounts
}

/** Different programs read the same clock, and each rounds to milliseconds. */
const clockSlackMs = 1
/** How long after a deletion a call that was already sent may still take effect: the longest planned delay, plus a margin. */
const inFlightMs = delayMsMax + 3000

/** Compares the three. Every violation that it returns is a broken promise. */
export function verify(findings: Findings): Violation[] {
  return [...verifyList(findings), ...findings.expectedPosts.flatMap((expected) => verifyPost(findings, expected))]
}

/** GET /content must list every accepted and not deleted post once, and no other. */
function verifyList({ expectedPosts, posts }: Findings): Violation[] {
  return expectedPosts.flatMap((expected): Violation[] => {
    const found = posts.filter(({ text }) => text === expected.text)
    const wanted = expected.requestId === null || expected.intent === 'deleted' ? 0 : 1
    if (found.length === wanted) return []
    const kind = found.length > wanted && wanted === 1 ? 'doubled' : found.length > wanted ? 'mismatch' : 'missing'
    return [{ kind, text: expected.text, detail: `GET /content lists it ${found.length} times, expected ${wanted}` }]
  })
}

function verifyPost(findings: Findings, expected: ExpectedPost): Violation[] {
  const { accounts, posts, platformPosts } = findings
  const post = posts.find(({ text }) => text === expected.text)
  return expected.plan.slots.flatMap((slot) => {
    const { handle, platform, slug } = accounts.of(slot)
    const out = platformPosts.filter(
      (each) => each.platform === platform && each.handle === handle && each.text === expected.text,
    )
    const channel = post?.channels.find(({ connection }) => connection === slug)
    const violation = (kind: ViolationKind, detail: string): Violation => ({
      kind,
      text: expected.text,
      detail: `${slug}: ${detail}`,
    })
    const [first] = out
    return [
      ...(out.length > 1 ? [violation('doubled', `published ${out.length} times`)] : []),
      ...(first && first.atMs < expected.earliestMs - clockSlackMs
        ? [violation('early', `published ${expected.earliestMs - first.atMs} ms before its time`)]
        : []),
      ...verifyChannel(findings, { expected, channel, out, handle, platform }).map(([kind, detail]) => violation(kind, detail)),
    ]
  })
}

type ChannelCase = {
  expected: ExpectedPost
  channel: ApiChannel | undefined
  out: readonly PostView[]
  handle: string
  platform: string
}

function verifyChannel(
  { faultCounts }: Findings,
  { expected, channel, out, handle, platform }: ChannelCase,
): [ViolationKind, string][] {
  const [first] = out
  if (expected.requestId === null) return first ? [['mismatch', 'published although the create was rejected']] : []
  if (expected.intent === 'stopped') return first ? [['stopped', 'published although it was unscheduled or a draft']] : []
  if (expected.intent === 'deleted') return verifyDeleted(expected, first)
  if (!channel) return [['missing', 'the channel is not in the answer']]
  switch (channel.status) {
    case 'success':
      return first ? [] : [['lost', 'the channel says success, the platform has nothing']]
    case 'failed': {
      if (first) return [['mismatch', `the channel says failed (${channel.errorCode}), the platform has it`]]
      const isLegitimate = channel.errorCode === 'content_rejected' && faultCounts.of(handle, platform, 'refusal') > 0
      return isLegitimate ? [] : [['lost', `failed although the platform did not reject it: ${channel.errorCode}`]]
    }
    case 'unconfirmed':
      if (platform !== 'x') return [['unconfirmed', 'unconfirmed on a platform whose posts can always be looked up']]
      if (first && faultCounts.of(handle, platform, 'question') === 0)
        return [['unconfirmed', 'unconfirmed although the platform shows it and every lookup was answered']]
      return []
    default:
      return [[first ? 'stuck' : 'lost', `the channel is still ${channel.status}`]]
  }
}

function verifyDeleted({ stoppedAtMs, earliestMs }: ExpectedPost, first: PostView | undefined): [ViolationKind, string][] {
  if (!first || stoppedAtMs === null) return []
  if (stoppedAtMs < earliestMs)
    return [['stopped', `published although it was deleted ${earliestMs - stoppedAtMs} ms before its time`]]
  // Deleting does not stop a call that was already sent, but no call may be sent afterwards.
  const afterMs = first.atMs - stoppedAtMs
  return afterMs > inFlightMs ? [['stopped', `published ${afterMs} ms after it was deleted`]] : []
}

import type { ApiChannel, ApiPost } from '../client/api-post.ts'
import type { PermissionChange } from '../client/drive-connection.ts'
import type { ExpectedPost } from '../client/expected-post.ts'
import { disturbancesBetween } from '../faults/disturbance.ts'
import type { PlatformFaultKind } from '../plan/fault-kinds.ts'
import type { Platform, Proof } from '../plan/platform-traits.data.ts'
import { isSameSlot, proofOf } from '../plan/slot.ts'
import { isPublished, type Findings } from './findings.ts'
import type { Submit } from '../stack/simulator-control.ts'

/** Everything that one channel is judged by. */
export type ChannelCase = {
  expected: ExpectedPost
  platform: Platform
  proof: Proof
  slug: string
  post: ApiPost | undefined
  channel: ApiChannel | undefined
  /** The publishing calls for this channel, oldest first, without its comment. */
  submits: Submit[]
  /** Those that the platform carried out. */
  published: Submit[]
  commentSubmits: Submit[]
  /** The kinds of faults that its account had. */
  faultKinds: Set<PlatformFaultKind>
  /** Whether a question to the platform about it may have failed. */
  hasFailedQuestions: boolean
  permission: PermissionChange | undefined
  /** Whether a fault of the stack can have been in the way between these times. */
  isDisturbed(fromMs: number, untilMs: number): boolean
  /** Whether a fault of the stack can have taken the answer of one of its calls. */
  isInterrupted: boolean
  nowMs: number
  slowness: number
}

/** How long after a call a fault can still lose what the platform answered: until it is stored. */
const storedAfterMs = 5000

export function channelCases(findings: Findings): ChannelCase[] {
  const { expectedPosts, posts, submits, accounts, plannedFaults, faultCounts, permissionChanges, nowMs, slowness } = findings
  const isDisturbed = (fromMs: number, untilMs: number) =>
    disturbancesBetween(findings.disturbances, fromMs, untilMs, slowness).length > 0
  return expectedPosts.flatMap((expected) =>
    expected.plan.slots.map((slot, at): ChannelCase => {
      const { platform, handle } = accounts.of(slot)
      const slug = expected.connections[at] ?? ''
      const post = posts.find(({ text }) => text === expected.text)
      const own = submits.filter((submit) => submit.platform === platform && submit.account === handle)
      const ofPost = own.filter(({ text, replyTo }) => text === expected.text && replyTo === null)
      const published = ofPost.filter(isPublished)
      const faults = plannedFaults.filter((fault) => isSameSlot(fault, slot))
      return {
        expected,
        platform,
        proof: proofOf(slot),
        slug,
        post,
        channel: post?.channels.find(({ connection }) => connection === slug),
        submits: ofPost,
        published,
        commentSubmits: expected.comment === null ? [] : own.filter(({ text }) => text === expected.comment),
        faultKinds: new Set(faults.flatMap(({ kinds }) => kinds)),
        hasFailedQuestions: faultCounts.of(slot, 'find') + faultCounts.of(slot, 'check') + faultCounts.of(slot, 'any') > 0,
        permission: permissionChanges.find((change) => isSameSlot(change, slot)),
        isDisturbed,
        // A post that is there was in doubt only if the fault came with its call. One that is not may have lost its claim at any time.
        isInterrupted:
          published.length === 0
            ? isDisturbed(expected.earliestMs, nowMs)
            : published.some(({ atMs }) => isDisturbed(atMs, atMs + storedAfterMs * slowness)),
        nowMs,
        slowness,
      }
    }),
  )
}

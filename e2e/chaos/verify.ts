import type { PostView } from '@carillon/simulator'
import type { AccountSet } from './accounts.ts'
import { delayMsMax } from './plan-faults.ts'
import type { SeenChannel, SeenPost } from './seen-post.ts'
import type { Story } from './story.ts'
import type { Violation, ViolationKind } from './violation.ts'
import type { Strikes } from './weather.ts'

/** What the client was told, what the API says now, and what the platforms show. */
export type Findings = {
  stories: readonly Story[]
  posts: readonly SeenPost[]
  shown: readonly PostView[]
  accounts: AccountSet
  strikes: Strikes
}

/** Same machine, same clock, read by different programs. */
const clockSlackMs = 1
/** A call that had left when its post was deleted may still be carried out: the longest delay, and a slow machine. */
const inFlightMs = delayMsMax + 3000

/** Holds the three against each other. Everything said here is a broken promise. */
export function verify(findings: Findings): Violation[] {
  return [...verifyList(findings), ...findings.stories.flatMap((story) => verifyStory(findings, story))]
}

/** GET /content has every post accepted and not deleted, once, and nothing else. */
function verifyList({ stories, posts }: Findings): Violation[] {
  return stories.flatMap((story): Violation[] => {
    const found = posts.filter(({ text }) => text === story.text)
    const wanted = story.requestId === null || story.wish === 'deleted' ? 0 : 1
    if (found.length === wanted) return []
    const kind = found.length > wanted && wanted === 1 ? 'doubled' : found.length > wanted ? 'lied' : 'missing'
    return [{ kind, text: story.text, detail: `GET /content lists it ${found.length} times, expected ${wanted}` }]
  })
}

function verifyStory(findings: Findings, story: Story): Violation[] {
  const { accounts, posts, shown } = findings
  const post = posts.find(({ text }) => text === story.text)
  return story.plan.slots.flatMap((slot) => {
    const { handle, platform, slug } = accounts.of(slot)
    const out = shown.filter((each) => each.platform === platform && each.handle === handle && each.text === story.text)
    const channel = post?.channels.find(({ connection }) => connection === slug)
    const say = (kind: ViolationKind, detail: string): Violation => ({ kind, text: story.text, detail: `${slug}: ${detail}` })
    const [first] = out
    return [
      ...(out.length > 1 ? [say('doubled', `published ${out.length} times`)] : []),
      ...(first && first.atMs < story.earliestMs - clockSlackMs
        ? [say('early', `published ${story.earliestMs - first.atMs} ms before its time`)]
        : []),
      ...judge(findings, { story, channel, out, handle, platform }).map(([kind, detail]) => say(kind, detail)),
    ]
  })
}

type Case = { story: Story; channel: SeenChannel | undefined; out: readonly PostView[]; handle: string; platform: string }

function judge({ strikes }: Findings, { story, channel, out, handle, platform }: Case): [ViolationKind, string][] {
  const [first] = out
  if (story.requestId === null) return first ? [['lied', 'published although it was refused']] : []
  if (story.wish === 'stopped') return first ? [['stopped', 'published although it was unscheduled or a draft']] : []
  if (story.wish === 'deleted') return judgeDeleted(story, first)
  if (!channel) return [['missing', 'the channel is not in the answer']]
  switch (channel.status) {
    case 'success':
      return first ? [] : [['lost', 'the channel says success, the platform has nothing']]
    case 'failed': {
      if (first) return [['lied', `the channel says failed (${channel.errorCode}), the platform has it`]]
      const isLegitimate = channel.errorCode === 'content_rejected' && strikes.of(handle, platform, 'refusal') > 0
      return isLegitimate ? [] : [['lost', `failed without a refusal by the platform: ${channel.errorCode}`]]
    }
    case 'unconfirmed':
      if (platform !== 'x') return [['unsure', 'unconfirmed on a platform that can always be asked']]
      if (first && strikes.of(handle, platform, 'question') === 0)
        return [['unsure', 'unconfirmed although the platform shows it and every question was answered']]
      return []
    default:
      return [[first ? 'stuck' : 'lost', `the channel is still ${channel.status}`]]
  }
}

function judgeDeleted({ stoppedAtMs, earliestMs }: Story, first: PostView | undefined): [ViolationKind, string][] {
  if (!first || stoppedAtMs === null) return []
  if (stoppedAtMs < earliestMs)
    return [['stopped', `published although it was deleted ${earliestMs - stoppedAtMs} ms before its time`]]
  // Deleting does not recall a call that had left; but nothing may leave afterwards.
  const afterMs = first.atMs - stoppedAtMs
  return afterMs > inFlightMs ? [['stopped', `published ${afterMs} ms after it was deleted`]] : []
}

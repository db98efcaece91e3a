import { channelCases, type ChannelCase } from './channel-case.ts'
import { isCarriedOut, type Findings } from './findings.ts'
import type { Violation } from './violation.ts'

/** A first comment must be published once, or a warning must say why not, with a reason that the platform's record shows. */
export function judgeComments(findings: Findings): Violation[] {
  return channelCases(findings).flatMap((each): Violation[] => {
    const detail = judgeComment(each)
    if (detail === null) return []
    return [{ kind: detail.isDoubled ? 'doubled' : 'comment', text: each.expected.text, detail: `${each.slug}: ${detail.words}` }]
  })
}

type Verdict = { isDoubled: boolean; words: string }

function judgeComment(each: ChannelCase): Verdict | null {
  const { expected, channel, commentSubmits, published } = each
  if (expected.comment === null || !each.isLast) return null
  const carriedOut = commentSubmits.filter(isCarriedOut)
  if (carriedOut.length > 1)
    return { isDoubled: true, words: `the platform carried out ${carriedOut.length} calls for the first comment` }
  if (carriedOut.length === 1 && published.length === 0)
    return { isDoubled: false, words: 'commented, but the post is not there' }
  if (channel?.status !== 'success') return null
  const warning = channel.warnings.find((text) => /comment/i.test(text))
  if (carriedOut.length === 1) {
    const saysNotPosted = warning !== undefined && /was not (posted|published|sent)/i.test(warning)
    return saysNotPosted ? { isDoubled: false, words: `the first comment is there, but a warning says: ${warning}` } : null
  }
  if (warning === undefined) return { isDoubled: false, words: 'the first comment is missing and no warning says so' }
  return hasReason(each)
    ? null
    : { isDoubled: false, words: `the first comment is missing without a reason; the warning says: ${warning}` }
}

/**
 * Either a call for the comment itself failed, or the process that made it was killed, or the post's id is not known because its answer was
 * lost, or a person reported it as published.
 */
function hasReason({
  expected,
  channel,
  commentSubmits,
  diedWithAnswer,
  permission,
  published,
  diedBetween,
  nowMs,
}: ChannelCase): boolean {
  // A delay is shorter than the time that a call may take.
  const hasFailedCalls = commentSubmits.some((call) => (call.fault !== null && call.fault !== 'delay') || diedWithAnswer(call))
  const isPostUnknown = channel?.postId === null || expected.requests.resolve > 0
  const wasNeverCalled = commentSubmits.length === 0 && diedBetween(published[0]?.atMs ?? nowMs, nowMs)
  return hasFailedCalls || isPostUnknown || permission !== undefined || wasNeverCalled
}

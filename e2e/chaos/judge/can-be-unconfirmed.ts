import type { ChannelCase } from './channel-case.ts'
import { traitsOf } from '../plan/platform-traits.ts'
import { isDoubtful } from './findings.ts'

/** A channel may stay unconfirmed only if an answer was really lost and nothing could tell what became of the call. */
export function canBeUnconfirmed(each: ChannelCase): boolean {
  const { platform, proof, published, sharesWords, hasFailedQuestions, permission } = each
  if (!isAnswerLost(each)) return false
  // Without its permission the platform cannot be asked.
  if (permission !== undefined && (permission.kind === 'disconnect' || permission.kind === 'token revoked')) return true
  // A platform that shows the words cannot say whose they are, so one lost answer leaves one of the channels in doubt: which one is open.
  if (sharesWords) return true
  switch (proof) {
    case 'key':
      // Once the platform has forgotten the key, its list is asked.
      return traitsOf(platform).forgetsKeys === true && (published.length === 0 || hasFailedQuestions)
    case 'reference':
      // TikTok names a photo post only in the answer, so a lost or damaged answer leaves no reference.
      return platform === 'tiktok' && each.submits.some(({ key }) => key === null)
    case 'readback':
      return published.length === 0 || hasFailedQuestions
    case 'none':
      return true
  }
}

/**
 * An answer is lost if the platform did not give one, or if the very process that received it was killed before it could store it. A fault of
 * another part is no reason: a process that lives on has the answer, and stores it when it can.
 */
function isAnswerLost(each: ChannelCase): boolean {
  return isUnanswered(each) || each.submits.some(each.diedWithAnswer) || each.diedBeforeCall
}

/** Whether no process at all can have had the answer of one of its calls. */
export function isUnanswered({ submits }: ChannelCase): boolean {
  return submits.some(isDoubtful)
}

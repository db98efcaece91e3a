import type { ChannelCase } from './channel-case.ts'
import type { Submit } from '../stack/simulator-control.ts'

/** After these faults the caller has no answer that it can read, whatever the platform did. */
const unreadable = new Set<string | null>(['drop_before', 'drop_after', 'hang', 'garbage', 'malformed', 'huge_body', 'slow_body'])

/** A channel may stay unconfirmed only if an answer was really lost and nothing could tell what became of the call. */
export function canBeUnconfirmed(each: ChannelCase): boolean {
  const { platform, proof, published, hasFailedQuestions, permission } = each
  if (!isAnswerLost(each)) return false
  // Without its permission the platform cannot be asked.
  if (permission !== undefined && (permission.kind === 'disconnect' || permission.kind === 'token revoked')) return true
  switch (proof) {
    case 'key':
      return false
    case 'reference':
      // TikTok names a photo post only in the answer, so a lost answer leaves no reference; a damaged one cannot be asked about.
      return platform === 'tiktok' && (each.submits.some(({ key }) => key === null) || each.faultKinds.has('malformed'))
    case 'readback':
      return published.length === 0 || hasFailedQuestions
    case 'none':
      return true
  }
}

/** A fault of the stack can also end the process between its claim and the call: then no call is recorded at all. */
function isAnswerLost({ submits, isInterrupted }: ChannelCase): boolean {
  return isInterrupted || submits.some(isDoubtful)
}

function isDoubtful({ outcome, fault, faultStatus }: Submit): boolean {
  // A 5xx leaves open whether the call was carried out; a 4xx does not.
  return outcome === 'dropped_after' || unreadable.has(fault) || (faultStatus !== null && faultStatus >= 500)
}

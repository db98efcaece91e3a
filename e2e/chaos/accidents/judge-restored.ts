import { channelCases, type ChannelCase } from '../judge/channel-case.ts'
import type { Findings } from '../judge/findings.ts'
import type { Violation, ViolationKind } from '../judge/violation.ts'

/**
 * After a restore the service has forgotten what it sent. It must find out or ask a person, and must neither send anything twice nor report
 * as failed what is there.
 */
export function judgeRestored(findings: Findings): Violation[] {
  return channelCases(findings).flatMap((each) => {
    const verdict = judgeChannel(each)
    return verdict ? [{ kind: verdict[0], text: each.expected.text, detail: `${each.slug}: ${verdict[1]}` }] : []
  })
}

function judgeChannel({ published, channel, nowMs, expected }: ChannelCase): [ViolationKind, string] | null {
  if (published.length > 1) return ['doubled', `the platform carried out ${published.length} calls`]
  const isThere = published.length === 1
  switch (channel?.status) {
    case 'success':
      return isThere ? null : ['lost', 'the channel says success, the platform has nothing']
    case 'unconfirmed':
      return null
    case 'pending':
    case 'publishing':
      return expected.earliestMs > nowMs ? null : ['lost', `the channel is still ${channel.status}`]
    case undefined:
      return ['missing', 'the post is not in the answer']
    default:
      return [isThere ? 'mismatch' : 'lost', `the channel says ${channel?.status} (${channel?.errorCode})`]
  }
}

import type { Platform } from '../../platform.ts'
import type { Fault, FaultRule } from '../../state/faults.ts'
import { operationLabels } from './fault-kinds.data.ts'

export type RuleDescription = { where: string; what: string; until: string }

/** A fault in plain words: which calls, what happens to them, and for how long. */
export function describeRule(rule: FaultRule, platforms: ReadonlyMap<string, Platform>): RuleDescription {
  const { platform, handle, operation = 'any', path, probability } = rule
  const name = platform === undefined ? 'Every platform' : (platforms.get(platform)?.title ?? platform)
  const [operationName = ''] = operationLabels[operation].split(':')
  const where = [name, handle ?? 'every account', operationName, path === undefined ? undefined : `path with ${path}`]
  const share = probability === undefined ? '' : `, for ${Math.round(probability * 100)} % of the calls`
  return {
    where: where.filter((part) => part !== undefined).join(' · '),
    what: describeFault(rule.fault) + share,
    until: untilOf(rule),
  }
}

function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'status': {
      const wait = fault.retryAfterSeconds === undefined ? '' : `, wait ${fault.retryAfterSeconds} seconds`
      return `Answered with ${fault.status}${wait}${committed(fault.commit)}`
    }
    case 'drop_before':
      return 'The connection breaks before the call arrives'
    case 'drop_after':
      return 'Carried out, but the answer is lost'
    case 'hang':
      return `No answer at all${committed(fault.commit)}`
    case 'delay':
      return fault.when === 'before' ? `Carried out ${fault.ms / 1000} seconds late` : `Answered ${fault.ms / 1000} seconds late`
    case 'slow_body':
      return `The answer comes at ${fault.bytesPerSecond} bytes a second`
    case 'huge_body':
      return `The answer is followed by ${Math.round(fault.bytes / 1_000_000)} MB of white space`
    case 'expired_token':
      return 'Answered as if the token had expired'
    case 'garbage':
      return `Answered with an unrelated web page${committed(fault.commit)}`
    case 'malformed':
      return 'Broken characters in the ids of the answer'
    case 'outage':
      return 'Out of service: answered with 503'
    case 'random':
      return `One of ${fault.faults.length} faults at random, for ${Math.round(fault.probability * 100)} % of the calls`
  }
}

function committed(isCommitted: boolean | undefined): string {
  return isCommitted === true ? ', although it was carried out' : ''
}

function untilOf({ times, skip = 0, hits, fault }: FaultRule): string {
  const after = skip > 0 ? ` after ${skip} calls that succeed` : ''
  const applied = `applied ${hits === 1 ? 'once' : `${hits} times`} so far`
  if (fault.kind === 'outage' && Number.isFinite(fault.untilMs))
    return `Until ${new Date(fault.untilMs).toISOString().slice(0, 19).replace('T', ' ')} UTC; ${applied}`
  if (times === undefined) return `Until it is switched off${after}; ${applied}`
  return `For ${times === 1 ? 'one call' : `${times} calls`}${after}; ${applied}`
}

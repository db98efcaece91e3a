import { numberOf, textOf, type Fields } from '../http/fields.ts'
import { refuse } from '../http/reply.ts'
import type { Operation } from '../state/call-counts.ts'
import type { FaultTarget } from '../state/faults.ts'
import type { ControlContext } from './control-route.ts'
import { loadPlatform } from './load-account.ts'

const operations: readonly (Operation | 'any')[] = [
  'submit',
  'stage',
  'find',
  'check',
  'account',
  'token',
  'remove',
  'metrics',
  'other',
  'any',
]

/** Which calls a fault applies to. */
export function readTarget(control: ControlContext, fields: Fields): FaultTarget {
  if (fields['platform'] !== undefined) loadPlatform(control, fields['platform'])
  const operation = operations.find((name) => name === (fields['operation'] ?? 'any'))
  if (operation === undefined) throw refuse(400, { error: `operation must be one of ${operations.join(', ')}` })
  const probability = numberOf(fields['probability'])
  if (probability !== undefined && (probability < 0 || probability > 1))
    throw refuse(400, { error: 'probability must be 0 to 1' })
  return {
    platform: textOf(fields['platform']),
    handle: textOf(fields['handle']) ?? textOf(fields['account']),
    operation,
    path: textOf(fields['path']),
    probability,
    seed: numberOf(fields['seed']),
    times: numberOf(fields['times']),
    skip: numberOf(fields['skip']),
  }
}

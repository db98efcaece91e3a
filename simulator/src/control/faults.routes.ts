import { isFields, numberOf, textOf, type Fields } from '../http/fields.ts'
import { json, refuse } from '../http/reply.ts'
import type { Operation } from '../state/call-counts.ts'
import type { FaultTarget } from '../state/faults.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'
import { bodyOf, loadPlatform } from './load-account.ts'
import { readFault } from './read-fault.ts'

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

export function faultRoutes(control: ControlContext): ControlRoute[] {
  const { faults } = control.simulator
  return [
    {
      method: 'POST',
      path: '/faults',
      answer(call) {
        const fields = bodyOf(call)
        const target = readTarget(control, fields)
        const fault = isFields(fields['fault']) ? readFault(fields['fault'], control.simulator.now()) : undefined
        if (!fault) throw refuse(400, { error: 'fault is missing or not of a known kind' })
        return json(201, { id: faults.add(target, fault).id })
      },
    },
    { method: 'GET', path: '/faults', answer: () => json(200, { faults: faults.all() }) },
    {
      method: 'DELETE',
      path: '/faults',
      answer() {
        faults.clear()
        return json(200, { ok: true })
      },
    },
    {
      method: 'DELETE',
      path: '/faults/:id',
      answer(call) {
        if (!faults.remove(call.params['id'] ?? '')) throw refuse(404, { error: 'no such fault' })
        return json(200, { ok: true })
      },
    },
  ]
}

function readTarget(control: ControlContext, fields: Fields): FaultTarget {
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

import { isFields } from '../http/fields.ts'
import { json, refuse } from '../http/reply.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'
import { bodyOf } from './load-account.ts'
import { readFault } from './read-fault.ts'
import { readTarget } from './read-target.ts'

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

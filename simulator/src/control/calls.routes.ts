import { json } from '../http/reply.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'

export function callRoutes({ simulator: { calls } }: ControlContext): ControlRoute[] {
  return [
    {
      method: 'GET',
      path: '/calls',
      answer({ query }) {
        const platform = query.get('platform')
        const operation = query.get('operation')
        const counts = query.get('by') === 'account' ? calls.allByAccount() : calls.all()
        const wanted = counts.filter(
          (entry) => (platform === null || entry.platform === platform) && (operation === null || entry.operation === operation),
        )
        return json(200, { total: wanted.reduce((sum, { count }) => sum + count, 0), calls: wanted })
      },
    },
    {
      method: 'DELETE',
      path: '/calls',
      answer() {
        calls.clear()
        return json(200, { ok: true })
      },
    },
  ]
}

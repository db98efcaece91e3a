import type { Attention } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { listConnectionStatuses } from '../../connections/describe-connections.ts'
import { countTroubles } from './attention.store.ts'

const countMax = 1000

export async function countAttention(scope: RequestScope): Promise<Attention> {
  const [troubles, statuses] = await Promise.all([
    countTroubles(scope.tx, scope.principal.workspaceId, countMax),
    listConnectionStatuses(scope),
  ])
  const countOf = (wanted: string) => statuses.filter((status) => status === wanted).length
  return { ...troubles, needsReconnect: countOf('needs_reconnect'), expiring: countOf('expiring') }
}

import type { Attention } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { listConnectionStatuses } from '../../connections/describe-connections.ts'
import { countTroubledChannels } from './attention.store.ts'

const countMax = 1000

export async function countAttention(scope: RequestScope): Promise<Attention> {
  const [channels, statuses] = await Promise.all([
    countTroubledChannels(scope.tx, scope.principal.workspaceId, countMax),
    listConnectionStatuses(scope),
  ])
  const countOf = (wanted: string) => statuses.filter((status) => status === wanted).length
  return { ...channels, needsReconnect: countOf('needs_reconnect'), expiring: countOf('expiring') }
}

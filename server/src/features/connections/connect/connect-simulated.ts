import type { Connection, Platform } from '@carillon/contract'
import { isPlatform } from '@carillon/contract'
import type { Credentials } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { workspaceName } from '../../workspaces/workspace-name.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { findPlatformApp } from '../apps/platform-apps.ts'
import { connectorOf } from '../connector-of.ts'
import { presentConnection } from '../present-connection.ts'
import { linkAccount, readAccount, type VerifiedAccount } from './link-account.ts'
import { throwConnectProblem } from './connect-method.ts'

const timeoutMs = 10_000
const handleLengthMax = 20

/** The platforms whose addresses lead to the simulator. */
export function simulatedPlatforms({ config }: Context): Platform[] {
  return Object.keys(config.platformOrigins).filter(isPlatform)
}

/** Opens an account for this workspace on every simulated platform. An account that exists is opened again. */
export async function openSimulated(ctx: Context, workspaceId: string): Promise<VerifiedAccount[]> {
  const platforms = simulatedPlatforms(ctx)
  if (platforms.length === 0) throw problem('route_not_found')
  const handle = handleOf(await workspaceName(ctx.db.system, workspaceId))
  return Promise.all(
    platforms.map(async (platform) => {
      const credentials = await openAccount(ctx, platform, handle)
      const isVetted = (await findPlatformApp(ctx, platform))?.isVetted ?? false
      return readAccount(ctx, connectorOf(ctx, platform), { instanceUrl: null, credentials, isVetted }).catch(throwConnectProblem)
    }),
  )
}

export async function connectSimulated(
  { ctx, tx, principal, nowMs, afterCommit }: RequestScope,
  accounts: readonly VerifiedAccount[],
  hooks: ConnectionHooks,
): Promise<Connection[]> {
  const connections: Connection[] = []
  for (const account of accounts) {
    const row = await linkAccount(ctx, tx, { workspaceId: principal.workspaceId, connectionId: null, hooks }, account)
    connections.push(presentConnection(ctx, { row, nowMs }))
  }
  afterCommit(() => ctx.engine.wakeWorkers())
  return connections
}

/** The operator chose the address, so it is not restricted by the egress guard. */
async function openAccount({ config }: Context, platform: Platform, handle: string): Promise<Credentials> {
  const url = new URL('/_control/accounts', config.platformOrigins[platform])
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ platform, handle }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    throw problem('unavailable', { cause, message: 'The simulator is not answering.' })
  })
  if (!response.ok) throw problem('unavailable', { message: 'The simulator refused to open an account.' })
  const { credentials } = (await response.json()) as { credentials: Credentials }
  return credentials
}

function handleOf(name: string): string {
  const handle = name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, handleLengthMax)
  return handle.endsWith('-') ? handle.slice(0, -1) : handle || 'workspace'
}

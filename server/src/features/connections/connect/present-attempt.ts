import type { Context } from '../../../context.ts'
import type { ConnectAccount } from '../../../infra/db/tables.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { workspaceName } from '../../workspaces/workspace-name.ts'
import type { ConnectFlowRow } from './connect-flow.store.ts'
import { redirectUrlOf } from './redirect-url-of.ts'

export type PresentedAttempt = {
  state: 'confirm' | 'connected' | 'failed'
  platform: string
  /** The server that hosts the account, for platforms with many servers. */
  instanceUrl: string | null
  workspace: { id: string; name: string }
  /** Null if connecting failed before the platform named the account. */
  account: ConnectAccount | null
  /** The connection that is renewed or was made. */
  connectionId: string | null
  /** Why connecting failed: our code, a sentence (the platform's own, where it sent one), the platform's code and its own words. */
  code: string | null
  message: string | null
  platformCode: string | null
  platformMessage: string | null
  redirectUri: string
  scopesAsked: string[]
  /** Null where the platform does not say. */
  scopesGranted: string[] | null
  missing: string[]
  /** Of the request with which the browser came back; it is also in the log. */
  traceId: string | null
  expiresAt: string
}

export async function presentAttempt(ctx: Context, flow: ConnectFlowRow): Promise<PresentedAttempt> {
  const { state, scopes_asked: scopesAsked, scopes_granted: scopesGranted, failure } = flow
  if (state === 'started' || state === 'returned') throw problem('attempt_not_found')
  return {
    state,
    platform: flow.platform,
    instanceUrl: flow.instance_url,
    workspace: { id: flow.workspace_id, name: await workspaceName(ctx.db.system, flow.workspace_id) },
    account: flow.account,
    connectionId: flow.connected_id ?? flow.connection_id,
    code: failure?.code ?? null,
    message: failure?.message ?? null,
    platformCode: failure?.platformCode ?? null,
    platformMessage: failure?.platformMessage ?? null,
    redirectUri: redirectUrlOf(ctx, flow.platform),
    scopesAsked,
    scopesGranted,
    missing: scopesGranted === null ? [] : scopesAsked.filter((scope) => !scopesGranted.includes(scope)),
    traceId: flow.trace_id,
    expiresAt: flow.expires_at.toISOString(),
  }
}

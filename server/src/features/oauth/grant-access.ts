import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { recordChange } from '../audit/record-change.ts'
import { touchClient } from './client.store.ts'
import { insertCode, insertGrant } from './grant.store.ts'
import { type ResourceName, resourceUrl } from './rights.ts'

export type Access = {
  workspaceId: string
  personId: string
  client: { id: string; name: string; host: string | null }
  resource: ResourceName
  scopes: readonly string[]
  /** What the program exchanges for tokens. */
  code: { hash: Buffer; redirectUri: string | null; challenge: string | null; validMs: number }
  traceId: string
}

/** Stores that a person lets a program act for them. It works from the moment the program exchanges the code. */
export async function grantAccess(ctx: Context, access: Access): Promise<void> {
  await touchClient(ctx.db.system, access.client.id, new Date(ctx.nowMs()))
  await ctx.db.tenant(access.workspaceId, (tx) => insertAccess(ctx, tx, access))
}

async function insertAccess(ctx: Context, tx: Tx, access: Access): Promise<void> {
  const { workspaceId, personId, client, resource, scopes, code, traceId } = access
  const [grantId, nowMs] = [newUuid(), ctx.nowMs()]
  await insertGrant(tx, {
    workspace_id: workspaceId,
    id: grantId,
    person_id: personId,
    client_id: client.id,
    client_name: client.name,
    client_host: client.host,
    resource: resourceUrl(ctx.config.publicUrl, resource),
    scopes: [...scopes],
    created_at: new Date(nowMs),
  })
  await insertCode(tx, {
    hash: code.hash,
    workspace_id: workspaceId,
    grant_id: grantId,
    person_id: personId,
    redirect_uri: code.redirectUri,
    challenge: code.challenge,
    expires_at: new Date(nowMs + code.validMs),
  })
  const by = { workspaceId, personId, apiKeyId: null }
  await recordChange(tx, { action: 'grant.create', subjectId: grantId, by, nowMs, traceId })
}

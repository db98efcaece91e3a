import type { ApiKey, BodyOf, workspaces } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { isUuid, newUuid } from '../../infra/db/ids.ts'
import { problem } from '../../infra/problem/problem.ts'
import { keyHash, keyPrefix, newApiKey } from './api-key.ts'
import { deleteApiKey, deleteApiKeysOf, insertApiKey, listApiKeys } from './api-key.store.ts'
import { clearKeyCache } from './find-key-holder.ts'

type NewKey = BodyOf<typeof workspaces.createApiKey>

/** Creates a key that acts as the caller. Only this answer contains the whole key. */
export async function createApiKey(
  scope: RequestScope,
  { label, scopes, expiresAt, workspaceOnly }: NewKey,
): Promise<Answer<ApiKey>> {
  if (expiresAt && Date.parse(expiresAt) <= scope.nowMs) {
    throw problem('request_invalid', { details: [{ path: 'expiresAt', message: 'Must be in the future.' }] })
  }
  const key = newApiKey()
  const row = {
    workspace_id: scope.principal.workspaceId,
    id: newUuid(),
    person_id: scope.principal.personId,
    label,
    prefix: keyPrefix(key),
    scopes: scopes ?? null,
    workspace_only: workspaceOnly ?? false,
    expires_at: expiresAt ? new Date(expiresAt) : null,
    created_at: new Date(scope.nowMs),
  }
  await insertApiKey(scope.tx, { ...row, hash: keyHash(key) })
  return new Answer({ ...presentKey(row), key }, { subjectId: row.id })
}

export async function listKeys({ tx, principal }: RequestScope): Promise<ApiKey[]> {
  return (await listApiKeys(tx, principal.workspaceId)).map(presentKey)
}

export async function revokeApiKey({ ctx, tx, principal, afterCommit }: RequestScope, keyId: string): Promise<Answer<null>> {
  if (!isUuid(keyId) || !(await deleteApiKey(tx, principal.workspaceId, keyId))) throw problem('api_key_not_found')
  afterCommit(() => clearKeyCache(ctx))
  return new Answer(null, { subjectId: keyId })
}

/** Revokes the keys that a person created here, when their membership ends. */
export async function revokeKeysOf({ ctx, tx, principal, afterCommit }: RequestScope, personId: string): Promise<void> {
  await deleteApiKeysOf(tx, principal.workspaceId, personId)
  afterCommit(() => clearKeyCache(ctx))
}

type Row = {
  id: string
  prefix: string
  label: string
  scopes: string[] | null
  workspace_only: boolean
  expires_at: Date | null
  created_at: Date
}

function presentKey(row: Row): ApiKey {
  return {
    id: row.id,
    prefix: row.prefix,
    label: row.label,
    scopes: row.scopes,
    workspaceOnly: row.workspace_only,
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

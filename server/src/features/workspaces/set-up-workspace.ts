import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { setOperatorIfNone } from '../people/operator/operator.store.ts'
import { ensurePerson } from '../people/ensure-person.ts'
import { keyHash, keyPrefix, newApiKey } from '../api-keys/api-key.ts'
import { insertApiKey } from '../api-keys/api-key.store.ts'
import { buildWorkspaceRow } from './create-workspace.ts'
import { insertWorkspace } from './workspace.store.ts'

/** Creates a person, a workspace that they own and an API key. `carillon setup` uses it, because every HTTP request needs a key. */
export function setUpWorkspace(ctx: Context, { workspace, email }: { workspace: string; email: string }) {
  return ctx.db.system.transaction().execute(async (tx) => {
    const nowMs = ctx.nowMs()
    const at = new Date(nowMs)
    const { id: personId } = await ensurePerson(tx, email, nowMs)
    const row = buildWorkspaceRow({ name: workspace, timezone: 'UTC', plan: ctx.config.plan, nowMs })
    await insertWorkspace(tx, row, personId)
    await setOperatorIfNone(tx, personId)
    const key = newApiKey()
    await insertApiKey(tx, {
      workspace_id: row.id,
      id: newUuid(),
      person_id: personId,
      label: 'first key',
      prefix: keyPrefix(key),
      hash: keyHash(key),
      scopes: null,
      workspace_only: false,
      expires_at: null,
      created_at: at,
    })
    return { workspaceId: row.id, apiKey: key, personId }
  })
}

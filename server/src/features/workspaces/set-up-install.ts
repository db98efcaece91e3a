import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { problem } from '../../infra/problem/problem.ts'
import { insertApiKey } from '../api-keys/api-key.store.ts'
import { keyHash, keyPrefix, newApiKey } from '../api-keys/api-key.ts'
import { recordChange } from '../audit/record-change.ts'
import { confirmAddress, ensurePerson } from '../people/find-person.ts'
import { setOperator, setOperatorIfNone } from '../people/operator/operator.store.ts'
import { canAnyoneSignIn, lockFirstRun } from '../people/session.store.ts'
import { setFirstPassword } from '../people/set-first-password.ts'
import { buildWorkspaceRow, checkTimezone } from './create-workspace.ts'
import { insertWorkspace } from './workspace.store.ts'

export type NewInstall = { name: string; email: string; password: string; workspace: string; timezone: string }

/** The first person with a password and their workspace, in one transaction. A second attempt at the same time waits and is refused. */
export async function setUpInstall(ctx: Context, install: NewInstall, traceId: string): Promise<{ workspaceId: string }> {
  const { name, email, password, workspace, timezone } = install
  checkTimezone(timezone)
  return ctx.db.system.transaction().execute(async (tx) => {
    await lockFirstRun(tx)
    if (await canAnyoneSignIn(tx)) throw problem('first_run_over')
    const nowMs = ctx.nowMs()
    const person = await ensurePerson(tx, email, nowMs)
    await confirmAddress(tx, person.id)
    await setFirstPassword(ctx, tx, { personId: person.id, name, password })
    const row = buildWorkspaceRow({ name: workspace, timezone, plan: ctx.config.plan, nowMs })
    await insertWorkspace(tx, row, person.id)
    // The setup code has proved that they run this installation.
    await setOperator(tx, person.id)
    const by = { workspaceId: row.id, personId: person.id, apiKeyId: null }
    await recordChange(tx, { action: 'workspace.create', subjectId: row.id, by, nowMs, traceId })
    return { workspaceId: row.id }
  })
}

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

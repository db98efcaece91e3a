import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { recordChange } from '../audit/record-change.ts'
import { setOperator } from '../people/operator/operator.store.ts'
import { ensurePerson } from '../people/ensure-person.ts'
import { confirmAddress } from '../people/confirm-address.ts'
import { setFirstPassword } from '../people/set-first-password.ts'
import { canAnyoneSignIn, lockFirstRun } from '../people/sign-in.store.ts'
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

import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { eraseAccountEntries } from '../audit/account-entry.store.ts'
import { recordChange } from '../audit/record-change.ts'
import { deletePerson, findOwnedAlone, listWorkspaceIds, lockPerson, type OwnedWorkspace } from './erase-person.store.ts'

/**
 * Erases a person: their account, sessions, keys and memberships, and their name and address wherever they are stored. What they did in
 * workspaces stays in the audit logs under their id. Workspaces that only they own must be given away or deleted first.
 */
export async function erasePerson(ctx: Context, { personId, traceId }: { personId: string; traceId: string }): Promise<void> {
  const nowMs = ctx.nowMs()
  await ctx.db.system.transaction().execute(async (tx) => {
    const person = await lockPerson(tx, personId)
    if (!person) throw problem('session_ended')
    const ownedAlone = await findOwnedAlone(tx, personId)
    if (ownedAlone.length > 0) throw lastOwner(ownedAlone)
    for (const workspaceId of await listWorkspaceIds(tx, personId)) {
      const by = { workspaceId, personId, apiKeyId: null }
      await recordChange(tx, { action: 'member.erase', subjectId: personId, by, nowMs, traceId })
    }
    await deletePerson(tx, { personId, email: person.email })
    await eraseAccountEntries(tx, personId)
  })
  clearKeyCache(ctx)
  ctx.log.info({ personId, traceId }, 'a person erased their account')
}

function lastOwner(workspaces: readonly OwnedWorkspace[]) {
  const details = workspaces.map(({ id, name }) => ({
    path: `workspaces/${id}`,
    message: `You are the only owner of "${name}". Make another member its owner, or delete it.`,
  }))
  return problem('last_owner', {
    message: 'You are the only owner of a workspace. Make another member its owner, or delete it.',
    details,
  })
}

import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { eraseAccountEntries } from '../audit/account-entry.store.ts'
import { recordAccountEvent } from '../audit/record-account-event.ts'
import { recordChange } from '../audit/record-change.ts'
import type { AccountRequest } from '../people/account-request.ts'
import { verifyPassword } from '../people/passwords/hash-password.ts'
import {
  deletePerson,
  findConfirmation,
  findOwnedAlone,
  listWorkspaceIds,
  lockPerson,
  type OwnedWorkspace,
} from './erase-person.store.ts'

/** A person without a password confirms by having signed in this recently. */
const freshMs = 10 * 60_000

export type Erasure = { personId: string; sessionToken: string; password: string | null; request: AccountRequest }

/**
 * Erases a person: their account, sessions, keys and memberships, and their name and address wherever they are stored. What they did in
 * workspaces stays in the audit logs under their id. Workspaces that only they own must be given away or deleted first.
 */
export async function erasePerson(ctx: Context, erasure: Erasure): Promise<void> {
  await checkConfirmation(ctx, erasure)
  const { personId } = erasure
  const { traceId } = erasure.request
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

async function checkConfirmation(ctx: Context, { personId, sessionToken, password, request }: Erasure): Promise<void> {
  const found = await findConfirmation(ctx.db.system, personId, sessionToken)
  if (!found) throw problem('session_ended')
  const { passwordHash, sessionCreatedAt } = found
  if (passwordHash === null) {
    if (ctx.nowMs() - sessionCreatedAt.getTime() <= freshMs) return
    throw problem('confirmation_required', { message: 'Sign in again, and repeat this within ten minutes.' })
  }
  if (password !== null && (await verifyPassword({ hash: passwordHash, password }))) return
  if (password !== null) {
    ctx.log.warn({ ...request, personId }, 'a wrong password or code was given')
    await recordAccountEvent(ctx, ctx.db.system, {
      ...request,
      personId,
      action: 'password.wrong',
      detail: 'erasing the account',
    })
  }
  throw problem('confirmation_required', { message: 'Send your current password with this request.' })
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

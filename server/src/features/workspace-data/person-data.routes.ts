import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { guardOrigin } from '../../infra/http/guard-origin.ts'
import { problem } from '../../infra/problem/problem.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { eraseAccountEntries } from '../audit/audit.store.ts'
import { recordChange } from '../audit/record-change.ts'
import { checkFields } from '../people/check-fields.ts'
import { cookiePrefix } from '../people/cookies/session-cookie.ts'
import { confirmIdentity } from '../people/passwords/confirm-identity.ts'
import { forgetAddress } from '../posts/approval/links/manage-links.ts'
import { type OwnedWorkspace, deletePerson, findOwnedAlone, listWorkspaceIds, lockPerson } from './erase-person.store.ts'

const passwordMax = 1000

/** Erasing one's own account. Only a session can do it: an API key must not be able to delete the person who made it. */
export function personDataRoutes(app: FastifyInstance, ctx: Context): void {
  app.post('/auth/erase-account', async (request, reply) => {
    guardOrigin(ctx.config, request)
    const { password = null } = checkFields({ password: passwordMax }, request.body) as { password?: string }
    const { personId } = await confirmIdentity(ctx, request, { password, purpose: 'erasing the account' })
    await erasePerson(ctx, { personId, traceId: request.id })
    const ended = `${cookiePrefix(ctx.config)}.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`
    return reply
      .header('set-cookie', ctx.config.publicUrl.startsWith('https:') ? `${ended}; Secure` : ended)
      .send({ success: true, data: null })
  })
}

/**
 * Erases a person: their account, sessions, keys and memberships, and their name and address wherever they are stored. What they did in
 * workspaces stays in the audit logs under their id. Workspaces that only they own must be given away or deleted first.
 */
async function erasePerson(ctx: Context, { personId, traceId }: { personId: string; traceId: string }): Promise<void> {
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
    await forgetAddress(tx, person.email)
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

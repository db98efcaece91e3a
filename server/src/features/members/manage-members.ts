import type { Member, Role } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { revokeKeysOf } from '../api-keys/manage-api-keys.ts'
import { guardOwnedWorkspaces, guardRole } from './find-membership.ts'
import { deleteMember, findMember, listMembers, lockOwners, updateRole, type MemberRow } from './member.store.ts'

export async function getMembers({ tx, principal }: RequestScope): Promise<Member[]> {
  return (await listMembers(tx, principal.workspaceId)).map(present)
}

/** What other features do when the rights of a member change, in the same transaction. */
export type MemberHooks = {
  /** `role` is null when the member is removed. */
  afterRoleChange(scope: RequestScope, member: { personId: string; role: Role | null }): Promise<void>
}

type RoleChange = { userId: string; role: Role }

export async function changeRole(scope: RequestScope, { userId, role }: RoleChange, hooks: MemberHooks): Promise<Answer<Member>> {
  const { ctx, tx, principal, afterCommit } = scope
  const member = await loadManageable(scope, userId, role)
  guardRole(principal.role, role)
  if (role === 'owner' && member.role !== 'owner')
    await guardOwnedWorkspaces(ctx, { tx, system: ctx.db.system, personId: userId, isCaller: false })
  await updateRole(tx, principal.workspaceId, userId, role)
  await hooks.afterRoleChange(scope, { personId: userId, role })
  afterCommit(() => clearKeyCache(ctx))
  return new Answer(present({ ...member, role }), { subjectId: userId })
}

/** Also revokes the keys that the person created here. Keys that they created in other workspaces lose access to this one. */
export async function removeMember(scope: RequestScope, userId: string, hooks: MemberHooks): Promise<Answer<null>> {
  const { ctx, tx, principal, afterCommit } = scope
  await loadManageable(scope, userId, null)
  await revokeKeysOf(scope, userId)
  await deleteMember(tx, principal.workspaceId, userId)
  await hooks.afterRoleChange(scope, { personId: userId, role: null })
  afterCommit(() => clearKeyCache(ctx))
  return new Answer(null, { subjectId: userId })
}

/** Any member may leave, except the last owner: a workspace always has one. */
export async function leaveWorkspace(scope: RequestScope, hooks: MemberHooks): Promise<Answer<null>> {
  const { ctx, tx, principal, afterCommit } = scope
  const { workspaceId, personId } = principal
  const owners = await lockOwners(tx, workspaceId)
  if (owners.length === 1 && owners[0] === personId) throw problem('last_owner')
  await revokeKeysOf(scope, personId)
  await deleteMember(tx, workspaceId, personId)
  await hooks.afterRoleChange(scope, { personId, role: null })
  afterCommit(() => clearKeyCache(ctx))
  return new Answer(null, { subjectId: personId })
}

/** Loads the member. Throws if the caller may not change them, or if no owner would remain when their role becomes `next`. */
async function loadManageable({ tx, principal }: RequestScope, userId: string, next: Role | null): Promise<MemberRow> {
  const owners = await lockOwners(tx, principal.workspaceId)
  const member = await findMember(tx, principal.workspaceId, userId)
  if (!member) throw problem('member_not_found')
  guardRole(principal.role, member.role)
  if (next !== 'owner' && owners.length === 1 && owners[0] === userId) throw problem('last_owner')
  return member
}

function present({ joinedAt, ...member }: MemberRow): Member {
  return { ...member, joinedAt: joinedAt.toISOString() }
}

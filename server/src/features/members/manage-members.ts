import type { Member, Role } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { revokeKeysOf } from '../api-keys/manage-api-keys.ts'
import { guardRole } from './guard-role.ts'
import { deleteMember, findMember, listMembers, lockOwners, updateRole, type MemberRow } from './member.store.ts'

export async function getMembers({ tx, principal }: RequestScope): Promise<Member[]> {
  return (await listMembers(tx, principal.workspaceId)).map(present)
}

export async function changeRole(scope: RequestScope, userId: string, role: Role): Promise<Answer<Member>> {
  const { ctx, tx, principal, afterCommit } = scope
  const member = await loadManageable(scope, userId, role)
  guardRole(principal.role, role)
  await updateRole(tx, principal.workspaceId, userId, role)
  afterCommit(() => clearKeyCache(ctx))
  return new Answer(present({ ...member, role }), { subjectId: userId })
}

/** Also revokes the keys that the person created here. Keys that they created in other workspaces lose access to this one. */
export async function removeMember(scope: RequestScope, userId: string): Promise<Answer<null>> {
  const { ctx, tx, principal, afterCommit } = scope
  await loadManageable(scope, userId, null)
  await revokeKeysOf(scope, userId)
  await deleteMember(tx, principal.workspaceId, userId)
  afterCommit(() => clearKeyCache(ctx))
  return new Answer(null, { subjectId: userId })
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

import type { Member, Role } from '@carillon/contract'
import { Answer, type Asked } from '../http/call.ts'
import { problem } from '../problem.ts'
import { forgetKeys } from '../workspaces/recognise-key.ts'
import { revokeKeysOf } from '../workspaces/manage-api-keys.ts'
import { guardRole } from './guard-role.ts'
import { deleteMember, findMember, listMembers, lockOwners, updateRole, type MemberRow } from './member.store.ts'

export async function getMembers({ tx, principal }: Asked): Promise<Member[]> {
  return (await listMembers(tx, principal.workspaceId)).map(present)
}

export async function changeRole(asked: Asked, userId: string, role: Role): Promise<Answer<Member>> {
  const { tx, principal, afterCommit } = asked
  const member = await loadManageable(asked, userId, role)
  guardRole(principal.role, role)
  await updateRole(tx, principal.workspaceId, userId, role)
  afterCommit(forgetKeys)
  return new Answer(present({ ...member, role }), { subjectId: userId })
}

/** The keys the person made here end too; those made elsewhere no longer open this workspace. */
export async function removeMember(asked: Asked, userId: string): Promise<Answer<null>> {
  const { tx, principal, afterCommit } = asked
  await loadManageable(asked, userId, null)
  await revokeKeysOf(asked, userId)
  await deleteMember(tx, principal.workspaceId, userId)
  afterCommit(forgetKeys)
  return new Answer(null, { subjectId: userId })
}

/** The member, if whoever asks may change them and an owner remains when their role becomes `next`. */
async function loadManageable({ tx, principal }: Asked, userId: string, next: Role | null): Promise<MemberRow> {
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

import type { Role } from '@carillon/contract'
import { roleAllows } from '@carillon/core'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { countOwnedWorkspaces, findMember, listMembers } from './member.store.ts'

export type Membership = { email: string; name: string; role: Role }

export function findMembership(db: Db | Tx, workspaceId: string, personId: string): Promise<Membership | undefined> {
  return findMember(db, workspaceId, personId)
}

export async function isMemberByEmail(tx: Tx, workspaceId: string, email: string): Promise<boolean> {
  const members = await listMembers(tx, workspaceId)
  return members.some((member) => member.email.toLowerCase() === email.toLowerCase())
}

/** A member cannot add, change or remove a member with a higher role than their own. */
export function guardRole(own: Role, other: Role): void {
  if (!roleAllows(own, other))
    throw problem('role_forbidden', {
      message: `This needs the role ${other} or a higher one; yours here is ${own}.`,
    })
}

type Owner = {
  /** The transaction that makes the person an owner. */
  tx: Tx
  /** Sees the members of all workspaces; a transaction of one workspace does not. */
  system: Db | Tx
  personId: string
  isCaller: boolean
}

/** Refuses a person who owns as many workspaces as allowed. Counted wherever somebody becomes an owner, or workspaces would be passed on. */
export async function guardOwnedWorkspaces({ config }: Context, { tx, system, personId, isCaller }: Owner): Promise<void> {
  const max = config.quotas.workspaces
  if (max === Infinity) return
  await lockQuota(tx, `workspaces ${personId}`)
  if ((await countOwnedWorkspaces(system, personId)) < max) return
  throw problem('quota_reached', {
    message: isCaller
      ? `You own ${max} workspaces, the most that this installation allows. Delete one, or ask its operator for more.`
      : 'This person owns as many workspaces as this installation allows. Choose another role, or ask its operator for more.',
  })
}

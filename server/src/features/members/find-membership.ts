import type { Role } from '@carillon/contract'
import type { Db, Tx } from '../../infra/db/db.ts'
import { findMember, listMembers } from './member.store.ts'

export type Membership = { email: string; name: string; role: Role }

export function findMembership(db: Db | Tx, workspaceId: string, personId: string): Promise<Membership | undefined> {
  return findMember(db, workspaceId, personId)
}

export async function isMemberByEmail(tx: Tx, workspaceId: string, email: string): Promise<boolean> {
  const members = await listMembers(tx, workspaceId)
  return members.some((member) => member.email.toLowerCase() === email.toLowerCase())
}

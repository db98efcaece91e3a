import type { Role } from '@carillon/contract'
import type { Db, Tx } from '../db/db.ts'
import { insertMember } from './member.store.ts'

export function addMember(
  system: Db | Tx,
  { workspaceId, personId, role, nowMs }: { workspaceId: string; personId: string; role: Role; nowMs: number },
): Promise<void> {
  return insertMember(system, { workspaceId, personId, role, joinedAt: new Date(nowMs) })
}

import type { Role } from '@carillon/contract'
import { roleAllows } from '@carillon/core'

/** May a member with this role invite people, and give them this role? It must hold when the invitation is made and when it is accepted. */
export function canInvite(inviter: Role, role: Role): boolean {
  return roleAllows(inviter, 'admin') && roleAllows(inviter, role)
}

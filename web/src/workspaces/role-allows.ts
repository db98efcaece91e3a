import type { Workspace } from '@carillon/sdk'

type Role = Workspace['role']

const order: readonly Role[] = ['viewer', 'editor', 'admin', 'owner']

/** Whether a member with this role may do what `needed` may. */
export function roleAllows(role: Role, needed: Role): boolean {
  return order.indexOf(role) >= order.indexOf(needed)
}

import type { Role } from '@carillon/contract'
import { roleAllows } from '@carillon/core'

/** Whether a member may read the whole address of a webhook: those who can change it. For many receivers, the path is the only secret. */
export function seesAddresses(role: Role): boolean {
  return roleAllows(role, 'admin')
}

/** Scheme and host. The mark is always there, so that nothing tells whether there was a path. */
export function maskAddress(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.protocol}//${parsed.host}/…` : '…'
}

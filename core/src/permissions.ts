import { roles, type Role, type Scope } from '@carillon/contract'

/** Does `role` have at least the permissions of `needed`? */
export function roleAllows(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed)
}

/** Do the granted scopes of an API key include the needed one? A key without scopes (null) has all permissions of its creator. */
export function scopesAllow(granted: readonly string[] | null, needed: Scope): boolean {
  if (granted === null) return true
  const [subject = '', verb] = needed.split(':')
  // Write access includes read access.
  return granted.includes(needed) || granted.includes(`${subject}:*`) || (verb === 'read' && granted.includes(`${subject}:write`))
}

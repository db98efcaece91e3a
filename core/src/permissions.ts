import { roles, type Role, type Scope } from '@carillon/contract'

/** Is `role` at least as powerful as `needed`? */
export function roleAllows(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed)
}

/** May a key with these scopes do this? A key made without scopes may do all its maker may. */
export function scopesAllow(granted: readonly string[] | null, needed: Scope): boolean {
  if (granted === null) return true
  const [subject = '', verb] = needed.split(':')
  // Who may write a thing may read it.
  return granted.includes(needed) || granted.includes(`${subject}:*`) || (verb === 'read' && granted.includes(`${subject}:write`))
}

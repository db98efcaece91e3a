import { roles, type Role, type Scope } from '@carillon/contract'

/** Does `role` have at least the permissions of `needed`? */
export function roleAllows(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed)
}

/** The verbs that include another one on the same subject. Whoever may change or publish posts may read them. */
const includedIn: Readonly<Record<string, readonly string[]>> = {
  read: ['write', 'draft', 'publish'],
  draft: ['write'],
  publish: ['write'],
}

/** Do the granted scopes of an API key include the needed one? A key without scopes (null) has all permissions of its creator. */
export function scopesAllow(granted: readonly string[] | null, needed: Scope): boolean {
  if (granted === null) return true
  const [subject = '', verb = ''] = needed.split(':')
  const enough = [needed, `${subject}:*`, ...(includedIn[verb] ?? []).map((wider) => `${subject}:${wider}`)]
  return enough.some((scope) => granted.includes(scope))
}

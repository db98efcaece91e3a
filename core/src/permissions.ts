import { roles, type ApprovalRule, type Role, type Scope } from '@carillon/contract'

/** Does `role` have at least the permissions of `needed`? */
export function roleAllows(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed)
}

/** The verbs that include another one on the same subject. Whoever may change, publish or approve posts may read them. */
const includedIn: Readonly<Record<string, readonly string[]>> = {
  read: ['write', 'draft', 'publish', 'approve'],
  draft: ['write'],
  publish: ['write'],
  create: ['write'],
}

/** Who publishes. A program is whatever uses an API key or a token; an agent is one whose key is marked, or that a person connected. */
export type Publisher = { role: Role; isProgram: boolean; isAgent: boolean }

/** Must another person approve what this caller publishes? */
export function needsApproval(rule: ApprovalRule, { role, isProgram, isAgent }: Publisher): boolean {
  if (rule === 'none') return false
  if (rule === 'everyone' || isAgent) return true
  if (rule === 'agents') return false
  return isProgram || (rule === 'editors' && !roleAllows(role, 'admin'))
}

/** A key has this scope only if it was named when the key was made. Otherwise every program could approve what programs wrote. */
function isNamedOnly(scope: Scope): boolean {
  return scope === 'content:approve'
}

/** May this caller do what needs the scope? A session (no key) may everything; a key without scopes all but what must be named. */
export function callerHasScope(
  { apiKeyId, scopes }: { apiKeyId: string | null; scopes: readonly string[] | null },
  needed: Scope,
): boolean {
  return apiKeyId !== null && scopes === null ? !isNamedOnly(needed) : scopesAllow(scopes, needed)
}

/** Do the granted scopes of an API key include the needed one? A key without scopes (null) has all permissions of its creator. */
export function scopesAllow(granted: readonly string[] | null, needed: Scope): boolean {
  if (granted === null) return true
  const [subject = '', verb = ''] = needed.split(':')
  if (isNamedOnly(needed)) return granted.includes(needed)
  const enough = [needed, `${subject}:*`, ...(includedIn[verb] ?? []).map((wider) => `${subject}:${wider}`)]
  return enough.some((scope) => granted.includes(scope))
}

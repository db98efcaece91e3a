import { grantableScopes, roles, scopes, type Role } from '@carillon/contract'
import { describe, expect, test } from 'vitest'
import { callerHasScope, roleAllows, scopesAllow } from './permissions.ts'

/** Guarantee: a role includes exactly the roles below it, and an API key can do only what its scopes name. */
describe('roleAllows', () => {
  // Written out instead of computed from the order of `roles`, so that a change of that order is noticed.
  const included: Record<Role, readonly Role[]> = {
    owner: ['owner', 'admin', 'editor', 'viewer'],
    admin: ['admin', 'editor', 'viewer'],
    editor: ['editor', 'viewer'],
    viewer: ['viewer'],
  }
  const pairs = roles.flatMap((role) => roles.map((needed) => ({ role, needed, isAllowed: included[role].includes(needed) })))

  test.each(pairs)('$role where $needed is needed: $isAllowed', ({ role, needed, isAllowed }) => {
    expect(roleAllows(role, needed)).toBe(isAllowed)
  })
})

describe('scopesAllow', () => {
  const subjectOf = (scope: string) => scope.slice(0, scope.indexOf(':'))

  test.each(scopes)('%s is allowed by itself', (scope) => {
    expect(scopesAllow([scope], scope)).toBe(true)
  })

  test.each(scopes)('%s is allowed for a key without a list of scopes', (scope) => {
    expect(scopesAllow(null, scope)).toBe(true)
  })

  test.each(scopes)('%s is not allowed for a key with an empty list of scopes', (scope) => {
    expect(scopesAllow([], scope)).toBe(false)
  })

  const named = 'content:approve'
  test.each(scopes.filter((scope) => scope !== named))('%s is allowed by the wildcard of its subject', (scope) => {
    expect(scopesAllow([`${subjectOf(scope)}:*`], scope)).toBe(true)
  })

  test.each(scopes)('%s is not allowed by all scopes and wildcards of the other subjects together', (scope) => {
    const others = grantableScopes.filter((granted) => subjectOf(granted) !== subjectOf(scope))
    expect(scopesAllow(others, scope)).toBe(false)
  })

  test('guarantee: no other scope includes approving, and neither does a key without a list of scopes', () => {
    expect(
      scopesAllow(
        grantableScopes.filter((scope) => scope !== named),
        named,
      ),
    ).toBe(false)
    expect(callerHasScope({ apiKeyId: 'k', scopes: null }, named)).toBe(false)
    expect(callerHasScope({ apiKeyId: 'k', scopes: null }, 'content:publish')).toBe(true)
    expect(callerHasScope({ apiKeyId: 'k', scopes: [named] }, named)).toBe(true)
    expect(callerHasScope({ apiKeyId: null, scopes: null }, named)).toBe(true)
  })

  test('write access to a subject includes read access, but not the other way round', () => {
    expect(scopesAllow(['content:write'], 'content:read')).toBe(true)
    expect(scopesAllow(['content:read'], 'content:write')).toBe(false)
  })

  test('content:write includes drafts and publishing, and neither of these includes the other', () => {
    expect(scopesAllow(['content:write'], 'content:draft')).toBe(true)
    expect(scopesAllow(['content:write'], 'content:publish')).toBe(true)
    expect(scopesAllow(['content:draft'], 'content:publish')).toBe(false)
    expect(scopesAllow(['content:publish'], 'content:draft')).toBe(false)
    expect(scopesAllow(['content:draft', 'content:publish'], 'content:write')).toBe(false)
    expect(scopesAllow(['content:read'], 'content:draft')).toBe(false)
    expect(scopesAllow(['media:write'], 'content:draft')).toBe(false)
  })

  test('whoever may write drafts or publish them may read posts', () => {
    expect(scopesAllow(['content:draft'], 'content:read')).toBe(true)
    expect(scopesAllow(['content:publish'], 'content:read')).toBe(true)
  })

  test('one matching scope among several is enough', () => {
    expect(scopesAllow(['media:read', 'webhooks:*', 'content:write'], 'webhooks:read')).toBe(true)
  })

  test('a wildcard over all subjects does not exist', () => {
    for (const scope of scopes) expect(scopesAllow(['*', '*:*', ':*'], scope)).toBe(false)
  })
})

import { describe, expect, test } from 'vitest'
import { findUnfinished, isForDraftsOnly, limitsOf, noLimits, withDraftsOnly } from './posting-limits.ts'

const chosen = {
  connections: ['x-tower'],
  postsPerDay: '5',
  hours: { from: '08:00', to: '18:00' },
  onDuplicate: 'refuse' as const,
}

describe('limitsOf', () => {
  test('a form without choices asks for no limits', () => {
    expect(limitsOf(noLimits, false)).toBeNull()
  })

  test('every choice becomes a limit', () => {
    expect(limitsOf(chosen, false)).toEqual({ ...chosen, postsPerDay: 5 })
  })

  test('of a key for drafts only the accounts matter', () => {
    expect(limitsOf(chosen, true)).toEqual({ connections: ['x-tower'] })
    expect(limitsOf({ ...chosen, connections: null }, true)).toBeNull()
  })
})

test('guarantee: a choice that would narrow nothing or everything is not sent', () => {
  expect(findUnfinished(noLimits)).toEqual([])
  expect(findUnfinished(chosen)).toEqual([])
  expect(findUnfinished({ ...chosen, connections: [] })).toEqual(['connections'])
  for (const postsPerDay of ['', '0', '1001', '2.5', 'five'])
    expect(findUnfinished({ ...chosen, postsPerDay })).toEqual(['postsPerDay'])
  for (const to of ['', '08:00']) expect(findUnfinished({ ...chosen, hours: { from: '08:00', to } })).toEqual(['hours'])
})

test('drafts only takes the place of writing and publishing, and back', () => {
  const drafts = withDraftsOnly(['content:read', 'content:write', 'media:write'], true)
  expect(drafts).toEqual(['content:read', 'content:draft', 'media:write'])
  expect(isForDraftsOnly(drafts)).toBe(true)
  expect(withDraftsOnly(drafts, false)).toEqual(['content:read', 'content:write', 'media:write'])
})

test('a key that may also publish is not for drafts only', () => {
  for (const scopes of [
    null,
    ['content:write'],
    ['content:draft', 'content:publish'],
    ['content:draft', 'content:*'],
    ['media:write'],
  ])
    expect(isForDraftsOnly(scopes)).toBe(false)
})

import { expect, test } from 'vitest'
import type { Principal } from '../../infra/http/principal.ts'
import { resolveRange } from './resolve-range.ts'

const limits = { scopes: null, workspaceOnly: false, expiresAt: null, posting: null, isAgent: false }
const caller = { personId: '', apiKeyId: null, keyWorkspaceId: null, limits }
const principal: Principal = { ...caller, workspaceId: 'w', role: 'owner', plan: 'free', approval: 'none' }
const scope = { principal, nowMs: Date.parse('2026-11-15T12:00:00Z') }

/** Guarantee: a date is a whole day in UTC, and an instant is exact. */
test.each([
  [{}, '2026-10-17T00:00:00.000Z', '2026-11-16T00:00:00.000Z', '2026-10-17', '2026-11-15'],
  [{ from: '2026-11-01', to: '2026-11-02' }, '2026-11-01T00:00:00.000Z', '2026-11-03T00:00:00.000Z', '2026-11-01', '2026-11-02'],
  [
    { from: '2026-11-15T08:50:00Z', to: '2026-11-15T08:51:00Z' },
    '2026-11-15T08:50:00.000Z',
    '2026-11-15T08:51:00.001Z',
    '2026-11-15',
    '2026-11-15',
  ],
  [
    { from: '2026-11-14', to: '2026-11-15T00:30:00+02:00' },
    '2026-11-14T00:00:00.000Z',
    '2026-11-14T22:30:00.001Z',
    '2026-11-14',
    '2026-11-14',
  ],
])('%o covers %s to %s', (query, from, before, firstDay, lastDay) => {
  const range = resolveRange(scope, query)
  expect([range.filter.from.toISOString(), range.filter.before.toISOString()]).toEqual([from, before])
  expect([range.from, range.to]).toEqual([firstDay, lastDay])
})

test.each([
  { from: '2026-11-02', to: '2026-11-01' },
  { from: '2026-11-01T10:00:00Z', to: '2026-11-01T09:00:00Z' },
  { from: '1969-12-31' },
])('%o is refused', (query) => {
  expect(() => resolveRange(scope, query)).toThrow(/cannot be accepted/)
})

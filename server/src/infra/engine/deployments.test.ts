import { expect, test } from 'vitest'
import { findUnused } from './deployments.ts'

/** Guarantee: an address that still gets work, or that is not ours, is never removed from the engine. */
const deployment = (id: string, more: { isCurrent?: boolean; services?: string[] } = {}) => ({
  id,
  url: `http://${id}:9080`,
  isCurrent: false,
  services: ['publish', 'heartbeat'],
  ...more,
})
const own = deployment('new', { isCurrent: true })

test.for([
  ['the release before', deployment('old'), ['old']],
  ['one that still gets work of a service', deployment('old', { isCurrent: true }), []],
  ['another application', deployment('shop', { services: ['orders'] }), []],
  ['one with a service of another application too', deployment('mixed', { services: ['publish', 'orders'] }), []],
  ['one without services', deployment('empty', { services: [] }), []],
] as const)('%s', ([, other, removed]) => {
  expect(findUnused([other, own], 'http://new:9080/').map(({ id }) => id)).toEqual(removed)
})

test('workers that get no new work themselves remove nothing', () => {
  expect(findUnused([deployment('current', { isCurrent: true }), { ...own, isCurrent: false }], own.url)).toEqual([])
  expect(findUnused([deployment('old'), deployment('current', { isCurrent: true })], 'http://unknown:9080')).toEqual([])
})

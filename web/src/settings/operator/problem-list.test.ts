import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { OperatorFigures } from '../../api/operator.ts'
import { findProblems } from './problem-list.tsx'

const queues = {
  ageSeconds: 1,
  heartbeatAgeSeconds: 4,
  isFenced: false,
  isUnchecked: false,
  oldestOverdueSeconds: 0,
  overdue: 0,
  inProgress: 2,
  stuck: 0,
  unknownPlatform: 0,
  eventsWaiting: 3,
  eventsOldestSeconds: 1,
  deliveriesWaiting: 5,
  deliveriesInProgress: 1,
  mailsWaiting: 0,
  mailsOldestSeconds: 0,
}
const loop = { name: 'dispatch', everySeconds: 0.5, ageSeconds: 1, allowedSeconds: 60, failedPasses: 2 }
const chore = { ...loop, name: 'zones', allowedSeconds: 300, outcome: 'done', durationSeconds: 1, nextSeconds: 9 } as const
const pool = { pool: 'tenant', max: 20, open: 20, idle: 0, waiting: 0 } as const
const healthy: OperatorFigures = {
  isDatabaseUp: true,
  isEngineUp: true,
  queues,
  platforms: [],
  day: { results: 0, isCut: false, total: { at: null, sends: 0, median: null, p95: null, p99: null }, hours: [] },
  chores: [chore],
  process: { isDraining: false, loops: [loop], pools: [pool] },
}
const withQueue = (change: Partial<typeof queues>): OperatorFigures => ({ ...healthy, queues: { ...queues, ...change } })
const process = (change: Partial<OperatorFigures['process']>): OperatorFigures => ({
  ...healthy,
  process: { ...healthy.process, ...change },
})

test('an installation that does its work has no problem', () => {
  expect(findProblems(healthy)).toEqual([])
})

const faults: readonly [string, OperatorFigures][] = [
  ['database', { ...healthy, isDatabaseUp: false }],
  ['engine', { ...healthy, isEngineUp: false }],
  ['heartbeat', { ...healthy, queues: { ...queues, heartbeatAgeSeconds: null } }],
  ['heartbeat', withQueue({ heartbeatAgeSeconds: 61 })],
  ['fenced', withQueue({ isFenced: true })],
  ['unchecked', withQueue({ isUnchecked: true })],
  ['overdue', withQueue({ oldestOverdueSeconds: 121 })],
  ['stuck', withQueue({ stuck: 1 })],
  ['unknownPlatform', withQueue({ unknownPlatform: 1 })],
  ['loop', process({ loops: [{ ...loop, ageSeconds: 61 }] })],
  ['chore', { ...healthy, chores: [{ ...chore, ageSeconds: 301 }] }],
  [
    'late',
    { ...healthy, day: { results: 9, isCut: false, total: { at: null, sends: 9, median: 1, p95: 9, p99: 11 }, hours: [] } },
  ],
  ['events', withQueue({ eventsOldestSeconds: 61 })],
  ['deliveries', withQueue({ deliveriesWaiting: 1001 })],
  ['mails', withQueue({ mailsOldestSeconds: 601 })],
  ['pool', process({ pools: [{ ...pool, waiting: 1 }] })],
]

test.each(faults)('guarantee: the fault %s is reported alone, with an alert that has a page', (kind, figures) => {
  const problems = findProblems(figures)
  expect(problems.map((problem) => problem.kind)).toEqual([kind])
  const page = readFileSync(new URL(`../../../../docs/alerts/${problems[0]?.alert}.md`, import.meta.url), 'utf8')
  expect(page).toContain('## What to do')
})

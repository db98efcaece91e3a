import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import type { Claimed } from './claim.store.ts'
import { paceChannels } from './pace-channels.ts'

/** Guarantee: a crowd of one workspace waits in its own line, however many claims it is spread over, and delays nothing else. */
let database: TestDatabase
let server: TestServer
const nowMs = 1_800_000_000_000
beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, replace: { nowMs: () => nowMs } })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})

function claims(
  count: number,
  { workspaceId, atMs, platform = 'x' }: { workspaceId: string; atMs: number; platform?: string },
): Claimed[] {
  const at = new Date(atMs)
  return Array.from({ length: count }, (_, n) => ({
    workspaceId,
    channelId: `${n}`,
    generation: 1,
    epoch: 1,
    platform,
    instanceUrl: null,
    dueAt: at,
    dispatchAt: at,
    stagedAt: null,
    turn: n + 1,
    prepare: false,
    traceparent: null,
  }))
}
const lastDelayMs = (due: Claimed[], fromMs: number) =>
  Math.max(...paceChannels(server.ctx, due).map(({ atMs }) => atMs - fromMs))

test('the line of an instant goes on with the next claim', () => {
  const atMs = nowMs + 60_000
  expect(lastDelayMs(claims(2_000, { workspaceId: 'crowd', atMs }), atMs)).toBe(900)
  expect(lastDelayMs(claims(2_000, { workspaceId: 'crowd', atMs }), atMs)).toBe(1_900)
  expect(lastDelayMs(claims(50, { workspaceId: 'other', atMs }), atMs)).toBe(0)
  expect(lastDelayMs(claims(50, { workspaceId: 'crowd', atMs: atMs + 1000 }), atMs + 1000)).toBe(0)
})

test('what is overdue is sent at once', () => {
  expect(lastDelayMs(claims(1_000, { workspaceId: 'late', atMs: nowMs - 3_600_000 }), nowMs)).toBe(0)
})

import type { Transport } from '@carillon/connectors'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openServer, type TestServer } from '../../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../../test/start-database.ts'
import { dueChannel } from '../../../../infra/engine/notify-workers.store.ts'
import { followRecordings, recordEverywhere } from './follow-recordings.ts'
import { recordCalls, type RecordedCall } from './record-calls.ts'

let database: TestDatabase
let worker: TestServer
let command: TestServer
let unlisten: () => Promise<void>

beforeAll(async () => {
  database = await startDatabase()
  worker = openServer({ database })
  command = openServer({ database })
  unlisten = await worker.ctx.db.listen(dueChannel, (payload) => followRecordings(worker.ctx, payload))
})

afterAll(async () => {
  await unlisten()
  await Promise.all([worker.close(), command.close()])
  await database.stop()
})

const connection = { workspace_id: 'w', id: 'c', handle: 'ada', account_id: '1' }
const long = JSON.stringify({ list: Object.fromEntries(Array.from({ length: 26 * 26 }, (_, at) => [nameOf(at), true])) })

function nameOf(at: number): string {
  const letter = (number: number) => String.fromCharCode(97 + number)
  return `a_long_name_of_a_field_${letter(Math.floor(at / 26))}${letter(at % 26)}`
}

/** The platform of this test. */
const platform: Transport = async () => ({ status: 200, headers: {}, text: async () => long })

async function call(server: TestServer, on: typeof connection): Promise<void> {
  const transport = recordCalls(server.ctx, on, { transport: platform, origin: 'https://a.example' })
  const reply = await transport({
    method: 'GET',
    url: 'https://a.example/api/v1/statuses',
    headers: {},
    body: null,
    timeoutMs: 1000,
  })
  expect(await reply.text(1_000_000)).toBe(long)
}

test('guarantee: calls are recorded only while a command asks for it, in all processes, and only those of its connection', async () => {
  const calls: RecordedCall[] = []
  await call(worker, connection)
  const recording = { id: 'r', workspaceId: 'w', connectionId: 'c', salt: 's', untilMs: Date.now() + 60_000 }
  const recorded = await recordEverywhere(command.ctx, recording, (each) => void calls.push(each))
  await vi.waitFor(() => expect(recorded.workers()).toBe(1), 5_000)
  await call(worker, { ...connection, id: 'another' })
  await call(worker, { ...connection, workspace_id: 'another' })
  await call(worker, connection)
  await call(command, connection)
  await vi.waitFor(() => expect(calls).toHaveLength(2), 5_000)
  // A long answer arrives in several pieces.
  expect(long.length).toBeGreaterThan(16_000)
  expect(calls.map(({ response }) => response.body)).toEqual([JSON.parse(long), JSON.parse(long)])
  await recorded.end()
  await vi.waitFor(
    () => expect(recordCalls(worker.ctx, connection, { transport: platform, origin: 'https://a.example' })).toBe(platform),
    5_000,
  )
  expect(recordCalls(command.ctx, connection, { transport: platform, origin: 'https://a.example' })).toBe(platform)
})

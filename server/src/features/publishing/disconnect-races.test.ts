import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Principal } from '../../infra/http/principal.ts'
import { addConnections } from '../connections/add-connections.ts'
import { disconnect, type ConnectionHooks } from '../connections/disconnect.ts'
import { wakeWaitingChannels } from '../posts/post.store.ts'
import { stopChannels } from '../posts/stop-channels.ts'
import { openPublisher, type TestPublisher } from './publishing.fixture.ts'
import { submitBatch } from './send/submit-batch.ts'
import { settle } from './settle/settle.ts'

/**
 * Guarantee T29: a disconnect stops, in one transaction, everything that no process has begun to send. What a process has begun to send cannot
 * be called back, and its post says so: it is never shown as canceled.
 */

let database: TestDatabase
let world: TestPublisher
const sentTexts = new Set<string>()

beforeAll(async () => {
  database = await startDatabase()
  world = await openPublisher(database, {
    x: {
      async submit({ text }) {
        sentTexts.add(text)
        return { state: 'published', postId: newUuid(), postUrl: null }
      },
    },
  })
}, 60_000)
afterAll(async () => {
  await world.close()
  await database.stop()
})

const hooks: ConnectionHooks = {
  beforeRemoval: stopChannels,
  afterReconnect: (tx, connection) => wakeWaitingChannels(tx, connection.workspaceId, connection.id),
}

async function addConnection() {
  const handle = newUuid().slice(0, 13)
  const account = { platform: 'x' as const, handle, accountId: newUuid(), instanceUrl: null, credentials: { accessToken: 't' } }
  const [connection] = await addConnections(world.ctx, world.workspaceId, [account])
  if (!connection) throw new Error('no connection was added')
  return connection
}

/** The transaction of the request to disconnect. Its answer cannot be sent before this returns. */
async function disconnectNow(id: string): Promise<void> {
  const { ctx, workspaceId } = world
  const limits = { scopes: null, workspaceOnly: false, expiresAt: null, posting: null, isAgent: false }
  const caller = { personId: '', apiKeyId: null, keyWorkspaceId: null, limits }
  const principal: Principal = { ...caller, workspaceId, role: 'owner', plan: 'free', approval: 'none' }
  const scope = { ctx, principal, nowMs: ctx.nowMs(), traceId: 'test', ifMatch: null, afterCommit: () => {} }
  await ctx.db.tenant(workspaceId, (tx) => disconnect({ ...scope, tx }, id, hooks))
}

async function stateOf(postId: string): Promise<string> {
  const rows = world.ctx.db.system.selectFrom('channel').where('post_id', '=', postId)
  return (await rows.select('state').executeTakeFirstOrThrow()).state
}

type Race = { stateAtAnswer: string; state: string; isSent: boolean }

/** A batch is sent and its connection is disconnected, this much later or earlier. */
async function race(text: string, disconnectAfterMs: number): Promise<Race> {
  const { id, slug } = await addConnection()
  const postId = await world.create(text, { connections: [slug] })
  const [batch] = await world.claim()
  if (!batch) throw new Error('nothing was claimed')
  const sending = sleep(Math.max(0, -disconnectAfterMs)).then(async () => {
    await settle(world.ctx, (await submitBatch(world.ctx, batch)).finished)
  })
  const disconnecting = sleep(Math.max(0, disconnectAfterMs)).then(async () => {
    await disconnectNow(id)
    return stateOf(postId)
  })
  const [stateAtAnswer] = await Promise.all([disconnecting, sending])
  return { stateAtAnswer, state: await stateOf(postId), isSent: sentTexts.has(text) }
}

test(
  'guarantee: what a disconnect stops is never sent, and what is sent is never shown as stopped',
  { timeout: 900_000 },
  async () => {
    const races: Race[] = []
    for (let n = 0; n < 500; n++) races.push(await race(`race ${n}`, ((n * 7) % 41) / 2 - 10))
    const [sent, stopped] = [races.filter(({ isSent }) => isSent), races.filter(({ isSent }) => !isSent)]
    // Both must happen, otherwise there was no race.
    expect(sent.length).toBeGreaterThan(10)
    expect(stopped.length).toBeGreaterThan(10)
    expect(new Set(stopped.map(({ stateAtAnswer }) => stateAtAnswer))).toEqual(new Set(['canceled']))
    expect(new Set(stopped.map(({ state }) => state))).toEqual(new Set(['canceled']))
    expect(new Set(sent.map(({ state }) => state))).toEqual(new Set(['published']))
    // With the answer, the send had begun or was over: nothing was left that could still begin later.
    for (const { stateAtAnswer } of sent) expect(['submitting', 'published']).toContain(stateAtAnswer)
  },
)

import { setTimeout as sleep } from 'node:timers/promises'
import { upStack } from '@carillon/stack'
import { waitUntil, type Postgres } from '@carillon/stack/services'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { startLink, type Link } from '../chaos/stack/start-link.ts'
import { promote, startStandby } from '../chaos/stack/start-standby.ts'
import { queryDatabase } from './start-database-proxy.ts'
import { startDrillStack, type DrillStack } from './start-drill-stack.ts'
import { waitForFence } from './wait-for-fence.ts'

// Guarantee: a failover that lacks a post which was sent is recognised, however short the gap, also when the workers that sent it are lost
// together with the primary. A failover that lacks nothing goes on by itself.

const posts = 10

type Pair = DrillStack & { primary: Postgres; standby: Postgres; replication: Link; database: Link }

let stack: Pair | undefined
afterEach(async () => {
  await stack?.stop()
  stack = undefined
})

/** Two databases and one address, which leads to the standby once it is told so. */
async function startPair(name: string): Promise<Pair> {
  const base = await upStack({ name, roles: [], fsync: false })
  const { postgres: primary, info } = base
  const replication = await startLink(primary.port)
  const standby = await startStandby(primary, info.dir, { isSynchronous: false, primaryPort: replication.port })
  const database = await startLink(primary.port)
  const stop = async () => {
    await standby.stop()
    await base.stop()
    for (const link of [replication, database]) link.close()
  }
  const url = new URL(info.databaseUrl)
  url.port = String(database.port)
  const drill = await startDrillStack({ stack: base, databaseUrl: url.href, stop })
  return { ...drill, primary, standby, replication, database }
}

const numberOf = async ({ url }: Postgres, text: string) => Number((await queryDatabase(url, text))['n'])
const countInState = (database: Postgres, state: string) =>
  numberOf(database, `select count(*) as n from channel where state = '${state}'`)

/** No worker records a comparison while this is held, as in the time between two of them. */
async function holdBeats({ url }: Postgres): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query('select 1 from cell for update')
}

async function waitUntilReplayed({ primary, standby }: Pair): Promise<void> {
  const { lsn } = await queryDatabase(primary.url, 'select pg_current_wal_lsn() as lsn')
  const isReplayed = async () =>
    (await numberOf(standby, `select (pg_last_wal_replay_lsn() >= '${String(lsn)}')::int as n`)) === 1
  await waitUntil(isReplayed, { what: 'the standby to have everything', withinMs: 60_000 })
}

/** Posts are sent while the standby lags or follows; then the primary and every server are lost and the standby takes over. */
async function loseMachine(pair: Pair, { isLagging }: { isLagging: boolean }) {
  const { primary, standby, replication, database, servers, simulator } = pair
  const traffic = pair.traffic(isLagging ? 'gap' : 'whole')
  await traffic.schedule({ count: posts, fromMs: 25_000, everyMs: 50 })
  await waitUntil(async () => (await countInState(standby, 'dispatched')) === posts, {
    what: 'the standby to know that the posts were claimed',
    withinMs: 60_000,
  })
  await holdBeats(primary)
  await waitUntilReplayed(pair)
  if (isLagging) void replication.cut(300_000)
  await waitUntil(
    async () => (await simulator.submits(traffic.prefix)).length >= posts && (await countInState(primary, 'published')) >= posts,
    { what: 'every post to be sent', withinMs: 90_000, everyMs: 200 },
  )
  if (!isLagging) await waitUntilReplayed(pair)
  await Promise.all([primary, ...Object.values(servers.processes)].map((each) => each.kill()))
  const forgotten = (await countInState(standby, 'scheduled')) + (await countInState(standby, 'dispatched'))
  await promote(standby)
  database.retarget(standby.port)
  const restarting = Promise.all(Object.values(servers.processes).map((each) => each.restart()))
  // A fenced server answers but is not ready.
  restarting.catch(() => {})
  return { traffic, forgotten, restarting }
}

describe('an asynchronous standby takes over, and every worker is lost with the primary', () => {
  test('it lacks the guards of posts that were sent since the last comparison', async () => {
    stack = await startPair('failover-gap')
    const fromMs = Date.now()
    const { traffic, forgotten, restarting } = await loseMachine(stack, { isLagging: true })
    const killedMs = Date.now()
    expect(forgotten).toBe(posts)
    const fence = await waitForFence(stack)
    expect(fence.isFenced).toBe(true)
    expect(await stack.operator(['fence', 'status', '--json'])).toMatchObject({
      reason: expect.stringContaining('a post that a worker has just sent'),
    })
    // A minute after its due time a channel that was claimed would return to the schedule and be sent.
    await sleep(70_000)
    expect(await stack.simulator.submits(traffic.prefix)).toHaveLength(posts)
    const [from, until] = [new Date(fromMs).toISOString(), new Date(killedMs).toISOString()]
    await stack.operator(['restore', 'finish', '--json', '--lost-from', from, '--lost-until', until])
    // Fenced for longer than a start may take: they are started again.
    const { processes } = stack.servers
    await restarting.catch(() => Promise.all(Object.values(processes).map((each) => each.restart())))
    const figures = await stack.finish('failover that lacks less than the time between two comparisons', traffic, {
      lost: { fromMs, untilMs: killedMs },
    })
    expect(figures).toMatchObject({ lost: 0, doubled: 0, false: 0, forgotten: 0, violations: [] })
  })

  test('it lacks nothing: posts go out again by themselves', async () => {
    stack = await startPair('failover-whole')
    const { traffic, forgotten, restarting } = await loseMachine(stack, { isLagging: false })
    expect(forgotten).toBe(0)
    await restarting
    expect(await stack.operator(['fence', 'status', '--json'])).toMatchObject({ status: 'open' })
    await traffic.schedule({ count: posts, fromMs: 10_000, everyMs: 50 })
    const figures = await stack.finish('failover that lacks nothing, with the loss of every worker', traffic)
    expect(figures).toMatchObject({ lost: 0, doubled: 0, false: 0, unconfirmed: 0, forgotten: 0, violations: [] })
  })
})

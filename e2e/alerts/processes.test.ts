import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '@carillon/stack/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWatchedStack, type WatchedStack } from './start-watched-stack.fixture.ts'

/** Each fault of a process or a store raises its alerts and no others. */
let watched: WatchedStack

beforeAll(async () => {
  watched = await startWatchedStack('processes')
})
afterAll(() => watched?.stop())

/** What follows while no worker works. */
const withoutWorker = ['CarillonHeartbeatMissing', 'CarillonPostsOverdue', 'CarillonEventsDelayed', 'CarillonWitnessUnchecked']

/** Chores stand still without a worker, an engine or a database too, but their rule is slower. */
const besidesWorker = [...withoutWorker, 'CarillonChoreStopped']

test('no alert fires while posts go out', async () => {
  await watched.createPosts(5)
  const endMs = Date.now() + 15_000
  while (Date.now() < endMs) {
    expect(await watched.firing()).toEqual([])
    await sleep(500)
  }
})

test('a worker that is killed while it sends: its process, and everything that no worker does any more', async () => {
  const { stack } = watched
  await watched.addFault({ platform: 'mastodon', handle: 'watched', operation: 'submit', fault: { kind: 'hang' } })
  await watched.createPosts(3)
  await sleep(5000)
  await stack.servers.worker?.kill()
  await watched.createPosts(3)
  // Scheduling is an event, and no worker takes it up.
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  expect(
    (await watched.call('POST', '/content/text', { connections: [watched.connection], text: 'later', scheduledAt })).status,
  ).toBe(201)
  const alerts = ['CarillonProcessDown', ...withoutWorker, 'CarillonChannelsStuck']
  expect(await watched.waitForAlerts(alerts, { besides: besidesWorker })).toEqual([])
  await watched.removeFaults()
  await stack.servers.worker?.restart()
  expect(await watched.waitForQuiet()).toEqual([])
})

test('a worker that stands still for a while: the posts that it sends afterwards are late', async () => {
  const pid = watched.stack.servers.worker?.pid ?? 0
  process.kill(pid, 'SIGSTOP')
  try {
    await watched.createPosts(12)
    await sleep(20_000)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const besides = [...besidesWorker, 'CarillonProcessDown', 'CarillonLoopStopped', 'CarillonEventLoopBlocked']
  expect(await watched.waitForAlerts(['CarillonSendsLate'], { besides })).toEqual([])
  expect(await watched.waitForQuiet()).toEqual([])
})

test('an engine that is stopped: it is named, with the loops that need it', async () => {
  await watched.stack.restate.kill()
  const alerts = ['CarillonEngineUnreachable', 'CarillonLoopStopped']
  expect(await watched.waitForAlerts(alerts, { besides: besidesWorker })).toEqual([])
  await watched.stack.restate.restart()
  expect(await watched.waitForQuiet()).toEqual([])
})

test('a database that is gone: it is named, and requests fail', async () => {
  const { stack, call } = watched
  await stack.postgres.kill()
  let isDown = true
  const requests = (async () => {
    while (isDown) {
      await call('GET', '/content').catch(() => {})
      await sleep(200)
    }
  })()
  const alerts = ['CarillonDatabaseUnreachable', 'CarillonRequestsFailing']
  const others = await watched.waitForAlerts(alerts, { besides: [...besidesWorker, 'CarillonLoopStopped'] })
  isDown = false
  await requests
  await stack.postgres.restart()
  expect(others).toEqual([])
  expect(await watched.waitForQuiet()).toEqual([])
})

test('an API that gets too little processor time: it reacts late', async () => {
  const pid = watched.stack.servers.api?.pid ?? 0
  let isStarved = true
  // It may run for 0.2 of every 0.85 seconds, as on a machine with far too much work.
  const starving = (async () => {
    while (isStarved) {
      process.kill(pid, 'SIGSTOP')
      await sleep(650)
      process.kill(pid, 'SIGCONT')
      await sleep(200)
    }
  })()
  const besides = ['CarillonProcessDown', 'CarillonEngineUnreachable', 'CarillonDatabaseUnreachable']
  const others = await watched.waitForAlerts(['CarillonEventLoopBlocked'], { besides })
  isStarved = false
  await starving
  expect(others).toEqual([])
  expect(await watched.waitForQuiet()).toEqual([])
})

test('a database that was put back to an older copy: sending is stopped', async () => {
  const { stack } = watched
  const data = join(stack.info.dir, 'postgres', 'data')
  const copy = join(stack.info.dir, 'copy')
  const copyFolder = (from: string, to: string) => runCommand('cp', ['-a', from, to], { cwd: stack.info.dir })
  await stack.postgres.stop()
  await copyFolder(data, copy)
  await stack.postgres.restart()
  await watched.createPosts(5)
  // The witness is written every 8 seconds.
  await sleep(25_000)
  await Promise.all([stack.servers.worker?.kill(), stack.postgres.stop()])
  await rm(data, { recursive: true })
  await copyFolder(copy, data)
  await stack.postgres.restart()
  // A fenced worker may not become ready.
  await stack.servers.worker?.restart().catch(() => {})
  const besides = [...besidesWorker, 'CarillonProcessDown', 'CarillonLoopStopped', 'CarillonDatabaseUnreachable']
  expect(await watched.waitForAlerts(['CarillonFenced'], { besides })).toEqual([])
})

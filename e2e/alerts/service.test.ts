import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '@carillon/stack/services'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePng } from '../support/png.ts'
import { pauseDescendants } from './pause-descendants.ts'
import { startWatchedStack, type WatchedStack } from './start-watched-stack.fixture.ts'

/** Each fault around the service raises its alerts and no others. */
let watched: WatchedStack
let mediaDir: string
let hanging: Server
const sockets: Socket[] = []

beforeAll(async () => {
  // A disk of its own, so that it can be filled.
  mediaDir = await mkdtemp(join(tmpdir(), 'carillon-alerts-disk-'))
  await runCommand('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', mediaDir])
  // Nothing listens on port 1: a mail server that is down.
  const mail = { CARILLON_SMTP_URL: 'smtp://127.0.0.1:1', CARILLON_MAIL_FROM: 'drill@carillon.example' }
  watched = await startWatchedStack('service', { ...mail, CARILLON_MEDIA_DIR: mediaDir })
  // An endpoint that accepts connections and never answers.
  const port = Number(watched.stack.info.webhookHost.split(':')[1])
  hanging = createServer((socket) => void sockets.push(socket)).listen(port, '127.0.0.1')
  await once(hanging, 'listening')
})

afterAll(async () => {
  await watched?.stop()
  for (const socket of sockets) socket.destroy()
  hanging?.close()
  await runCommand('umount', [mediaDir]).catch(() => {})
  await rm(mediaDir, { recursive: true, force: true })
})

test('webhook receivers that hang: deliveries get no answer and pile up, posts go out', async () => {
  const { stack, call } = watched
  const hooks: string[] = []
  for (let n = 0; n < 10; n++) {
    const events = ['channel.published', 'upload.publishing', 'upload.completed']
    const { status, data } = await call('POST', '/webhooks', { url: `https://${stack.info.webhookHost}/hangs/${n}`, events })
    expect(status).toBe(201)
    hooks.push(data.id ?? '')
  }
  await watched.createPosts(30)
  expect(await watched.waitForAlerts(['CarillonWebhooksFailing', 'CarillonWebhookBacklog'])).toEqual([])
  for (const id of hooks) await call('DELETE', `/webhooks/${id}`)
  expect(await watched.waitForQuiet()).toEqual([])
})

test('a mail server that is down: mail is delayed', async () => {
  const { stack, call } = watched
  for (let n = 0; n < 8; n++) {
    const invitation = { email: `drill-${n}@example.com`, role: 'editor' }
    expect((await call('POST', `/workspaces/${stack.info.workspaceId}/invitations`, invitation)).status).toBe(201)
  }
  expect(await watched.waitForAlerts(['CarillonMailDelayed'])).toEqual([])
  await inDatabase('delete from outgoing_mail')
  expect(await watched.waitForQuiet()).toEqual([])
})

test('a chore that fails again and again: it is named', async () => {
  await inDatabase('revoke select on series from carillon_system')
  expect(await watched.waitForAlerts(['CarillonChoreStopped'])).toEqual([])
  await inDatabase('grant select on series to carillon_system')
  expect(await watched.waitForQuiet()).toEqual([])
})

test('a table that is locked for long: work waits for connections', async () => {
  const lock = new pg.Client({ connectionString: watched.stack.info.databaseUrl })
  await lock.connect()
  await lock.query('begin')
  await lock.query('lock table post in access exclusive mode')
  let isLocked = true
  // More requests at a time than the process has connections.
  const readers = Array.from({ length: 40 }, async () => {
    while (isLocked) await watched.call('GET', '/content').catch(() => sleep(100))
  })
  const besides = [
    'CarillonRequestsFailing',
    'CarillonLoopStopped',
    'CarillonChoreStopped',
    'CarillonHeartbeatMissing',
    'CarillonDatabaseUnreachable',
  ]
  const others = await watched.waitForAlerts(['CarillonPoolExhausted'], { besides })
  isLocked = false
  await lock.query('rollback')
  await lock.end()
  await Promise.all(readers)
  expect(others).toEqual([])
  expect(await watched.waitForQuiet()).toEqual([])
})

test('decoders that hang: files wait', async () => {
  const { info, servers } = watched.stack
  const pausing = pauseDescendants(servers.api?.pid ?? 0)
  const uploads = Array.from({ length: 20 }, async (_, n) => {
    const form = new FormData()
    form.append('file', new Blob([makePng(n)], { type: 'image/png' }), `${n}.png`)
    const headers = { authorization: `Bearer ${info.apiKey}`, 'x-workspace-id': info.workspaceId }
    await fetch(`${info.baseUrl}/media/upload`, { method: 'POST', headers, body: form }).catch(() => {})
  })
  const others = await watched
    .waitForAlerts(['CarillonDecodersBusy'], { besides: ['CarillonRequestsFailing'] })
    .finally(() => pausing.stop())
  await Promise.all(uploads)
  expect(others).toEqual([])
  expect(await watched.waitForQuiet()).toEqual([])
})

test('a post of a platform that only a later release knows: it is reported, and everything else goes out', async () => {
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  const post = { text: 'for the next release', connections: [watched.connection], scheduledAt }
  expect((await watched.call('POST', '/content/text', post)).status).toBe(201)
  await inDatabase(`update channel set platform = 'not-yet-known', dispatch_at = now() where state = 'scheduled'`)
  await watched.createPosts(5)
  expect(await watched.waitForAlerts(['CarillonUnknownPlatform'])).toEqual([])
  await inDatabase(`delete from channel where platform = 'not-yet-known'`)
  expect(await watched.waitForQuiet()).toEqual([])
})

test('a disk that is almost full: it is named', async () => {
  const file = join(mediaDir, 'filler')
  await writeFile(file, Buffer.alloc(60 * 1024 ** 2))
  expect(await watched.waitForAlerts(['CarillonDiskFull'])).toEqual([])
  await rm(file)
  expect(await watched.waitForQuiet()).toEqual([])
})

async function inDatabase(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: watched.stack.info.databaseUrl })
  await client.connect()
  await client.query(text)
  await client.end()
}

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLink, type Link } from './start-link.ts'

/** An echo server behind a link. */
let link: Link
const served = new Set<Socket>()
const server = createServer((socket) => {
  served.add(socket)
  socket.on('error', () => {})
  socket.pipe(socket)
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  link = await startLink(typeof address === 'object' && address ? address.port : 0)
})
afterAll(() => {
  link.close()
  server.close()
  for (const socket of served) socket.destroy()
})

async function open(): Promise<Socket> {
  const socket = connect(link.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function echo(socket: Socket, text: string, withinMs = 1000): Promise<string | null> {
  const answer = once(socket, 'data').then(([bytes]) => String(bytes))
  answer.catch(() => {})
  socket.write(text)
  return Promise.race([answer, sleep(withinMs).then(() => null)])
}

test('what is sent arrives', async () => {
  expect(await echo(await open(), 'bell')).toBe('bell')
})

test('a half-open connection stays open and delivers nothing, and a new one works', async () => {
  const old = await open()
  expect(await echo(old, 'one')).toBe('one')
  link.halfOpen()
  expect(await echo(old, 'two', 200)).toBeNull()
  expect(old.destroyed).toBe(false)
  expect(await echo(await open(), 'three')).toBe('three')
})

test('a partition delivers late, in order, what was sent during it', async () => {
  const socket = await open()
  expect(await echo(socket, 'one')).toBe('one')
  const end = link.partition(300)
  socket.write('two ')
  const answer = once(socket, 'data')
  const before = performance.now()
  await Promise.all([end, answer])
  expect(performance.now() - before).toBeGreaterThan(250)
  expect(await echo(socket, 'three')).toBe('three')
})

test('a cut closes connections and refuses new ones until it ends', async () => {
  const socket = await open()
  const closed = once(socket, 'close')
  const end = link.cut(200)
  await closed
  const refused = await open()
  await once(refused, 'close')
  await end
  expect(await echo(await open(), 'bell')).toBe('bell')
})

test('a slow link delays', async () => {
  const socket = await open()
  const end = link.slow(400, 100)
  const before = performance.now()
  expect(await echo(socket, 'bell')).toBe('bell')
  expect(performance.now() - before).toBeGreaterThan(180)
  await end
})

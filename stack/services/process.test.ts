import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from './free-ports.ts'
import { descendants, isLive } from './live-process.ts'
import { startProgram } from './process.ts'
import { isListening } from './wait-until.ts'

let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-process-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function startListener(script: string) {
  const port = await freePort()
  const running = await startProgram({
    name: 'listener',
    command: process.execPath,
    args: ['-e', script, String(port)],
    logFile: join(dir, `${port}.log`),
    isReady: () => isListening(port),
    stopWithinMs: 500,
  })
  return { port, running }
}

const listen = `require('node:net').createServer().listen(process.argv[1], '127.0.0.1')`

/** Guarantee: a killed program can be started again on the same port, as another process. */
test('kill, then restart on the same port', async () => {
  const { port, running } = await startListener(listen)
  const before = running.pid
  await running.kill()
  expect(running.isAlive()).toBe(false)
  expect(await isListening(port)).toBe(false)
  await running.restart()
  expect(running.pid).not.toBe(before)
  expect(await isListening(port)).toBe(true)
  await running.stop()
  expect(running.isAlive()).toBe(false)
})

/** Guarantee: no process is left, even if the program ignores SIGTERM and has children in process groups of their own. */
test('stop ends a program that ignores SIGTERM, and its children', async () => {
  const child = `require('node:child_process').spawn('sleep', ['60'], { detached: true })`
  const { running } = await startListener(`process.on('SIGTERM', () => {}); ${child}; ${listen}`)
  const children = descendants(running.pid)
  expect(children).toHaveLength(1)
  await running.stop()
  expect([running.identity, ...children].filter(isLive)).toEqual([])
})

/** Guarantee: a program that ends while starting is reported at once, with the text of its log. */
test('a failed start shows the log', async () => {
  const logFile = join(dir, 'failed.log')
  const start = startProgram({
    name: 'broken',
    command: process.execPath,
    args: ['-e', `console.error('no such setting'); process.exit(1)`],
    logFile,
    isReady: () => false,
  })
  await expect(start).rejects.toThrow('no such setting')
  expect(await readFile(logFile, 'utf8')).toContain('no such setting')
})

import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@carillon/stack/services'
import { afterEach, expect, test } from 'vitest'

const program = join(import.meta.dirname, '../main.ts')
let child: ChildProcess
let dir = ''

afterEach(async () => {
  child.kill('SIGTERM')
  await expect.poll(() => child.exitCode, { timeout: 100_000 }).not.toBe(null)
  await rm(dir, { recursive: true, force: true })
}, 120_000)

async function startTrial() {
  dir ||= await mkdtemp(join(tmpdir(), 'carillon-try-'))
  const port = await freePort()
  const screen = { text: '' }
  child = spawn(process.execPath, [program, 'try', '--data', dir, '--port', String(port)], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (screen.text += String(text)))
  return { port, screen }
}

async function runningPids(): Promise<number[]> {
  const text = await readFile(join(dir, 'running.json'), 'utf8').catch(() => '[]')
  return (JSON.parse(text) as { pid: number }[]).map(({ pid }) => pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test(
  'a trial starts everything, serves on one port, refuses a second start, and stops all of it',
  { timeout: 300_000 },
  async () => {
    const { port, screen } = await startTrial()
    await expect.poll(() => screen.text, { timeout: 200_000, interval: 500 }).toContain('Carillon is ready: http://localhost:')
    expect(screen.text).toContain(`http://localhost:${port}/docs`)
    expect(screen.text).toContain(`Data       ${dir}`)
    expect(screen.text).toContain('Stop       Ctrl-C')
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`)
    expect(await ready.json()).toMatchObject({ status: 'ready', problems: [] })
    const pids = await runningPids()
    expect(pids).toHaveLength(4)

    const first = child
    const second = await startTrial()
    await expect.poll(() => child.exitCode, { timeout: 60_000 }).toBe(1)
    expect(second.screen.text).toMatch(/still runs: .*PostgreSQL \(process \d+\)/)
    child = first

    // As a terminal does: the program alone gets the signal, because the others have groups of their own.
    first.kill('SIGINT')
    await expect.poll(() => first.exitCode, { timeout: 100_000 }).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
    expect(await runningPids()).toEqual([])
  },
)

test('Ctrl-C during the start leaves nothing behind', { timeout: 200_000 }, async () => {
  dir = ''
  const { screen } = await startTrial()
  await expect.poll(runningPids, { timeout: 100_000, interval: 50 }).not.toEqual([])
  const pids = await runningPids()
  child.kill('SIGINT')
  await expect.poll(() => child.exitCode, { timeout: 60_000 }).toBe(0)
  expect(pids.filter(isAlive)).toEqual([])
  expect(screen.text).not.toContain('Carillon is ready')
})

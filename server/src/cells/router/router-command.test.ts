import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '@carillon/stack/services'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCellStub, type CellStub } from './router.fixture.ts'

const program = join(import.meta.dirname, '../../main.ts')
let cell: CellStub
let child: ChildProcess | undefined

beforeEach(async () => {
  cell = await startCellStub('zero')
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await cell.stop()
})

function run(env: Record<string, string>) {
  const screen = { text: '' }
  // Only what is given: a router must start without any setting of an installation.
  child = spawn(process.execPath, [program, 'router'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (screen.text += String(text)))
  return { child, screen }
}

async function start() {
  const [port = 0, healthPort = 0] = await freePorts(2)
  const { child: started, screen } = run({
    CARILLON_PORT: String(port),
    CARILLON_HEALTH_PORT: String(healthPort),
    CARILLON_ROUTER_CELLS: `0=${cell.url}`,
  })
  const [url, healthUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${healthPort}`]
  const isUp = () =>
    fetch(`${url}/health/live`)
      .then(({ ok }) => ok)
      .catch(() => false)
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true)
  return { child: started, screen, url, healthUrl }
}

test('guarantee: SIGTERM finishes running requests, and the health port says so meanwhile', { timeout: 90_000 }, async () => {
  const router = await start()
  expect((await fetch(`${router.healthUrl}/health/ready`)).status).toBe(200)
  expect(await (await fetch(`${router.healthUrl}/metrics`)).text()).toContain('carillon_router_cell_up{cell="0"} 1')
  cell.answer(async (_request, response) => {
    await sleep(1_500)
    response.end('in time')
  })
  const answer = fetch(`${router.url}/api/me`)
  await sleep(300)
  router.child.kill('SIGTERM')
  await sleep(300)
  expect((await fetch(`${router.healthUrl}/health/accepting`)).status).toBe(503)
  expect(await (await answer).text()).toBe('in time')
  if (router.child.exitCode === null) await once(router.child, 'exit')
  expect(router.child.exitCode).toBe(0)
})

test('without cells it says what to set, and ends', { timeout: 60_000 }, async () => {
  const { child: started, screen } = run({})
  await once(started, 'exit')
  expect(started.exitCode).toBe(1)
  expect(screen.text).toContain('CARILLON_ROUTER_CELLS is not set. Name every cell')
})

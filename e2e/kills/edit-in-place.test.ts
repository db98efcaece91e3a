import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { upStack, type Stack } from '@carillon/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulatorControl } from '../chaos/stack/simulator-control.ts'
import { makeStrict } from '../chaos/stack/start-chaos-stack.ts'
import { recordDrill } from '../support/record-drill.ts'
import { startApiPool, type ApiPool } from './api-pool.ts'
import { createEditor, type Editor } from './edit-posts.ts'

// Guarantee: a scheduled post that is edited in place is scheduled at every moment, whatever becomes of the process that edits it. It has the
// old text, files and channels or the new ones, and is published once, as the API shows it.

/** Ten kills show that the drill works and find gross mistakes; `pnpm nightly` makes 200. */
const kills = Number(process.env['CARILLON_TEST_KILLS'] ?? '10')
const isWhole = kills >= 200
const editsPerKill = 4
/** Posts become due while they are edited. The next kill is a few seconds later, so some are edited by several processes. */
const leadMs = { min: 500, max: 12_000 }
/** Accepted by the time of the due post; a worker claims it a moment later. */
const claimMs = 300
const dir = join(tmpdir(), `carillon-kills-${process.pid}`)

let stack: Stack
let pool: ApiPool
let editor: Editor

beforeAll(async () => {
  stack = await upStack({ dir, fsync: false, roles: ['api', 'worker'] })
  await makeStrict(createSimulatorControl(stack.info.simulatorUrl))
  pool = await startApiPool(stack, 2)
  const platforms = ['bluesky', 'mastodon', 'threads']
  const open = (handle: string) => Promise.all(platforms.map(async (platform) => (await stack.connect(platform, handle)).slug))
  editor = await createEditor(stack.info, [await open('edited-1'), await open('edited-2')])
})
afterAll(async () => {
  await pool?.stop()
  await stack?.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Those that are scheduled, or became due so recently that an edit may still be accepted. The first to become due comes first. */
const editable = () => editor.posts.filter(({ dueMs }) => dueMs > Date.now() - claimMs).toSorted((a, b) => a.dueMs - b.dueMs)

/** One new post for every kill, and as many more as are missing for its edits. */
async function createPosts(): Promise<void> {
  const missing = Math.max(1, editsPerKill - editable().length)
  const leads = Array.from({ length: missing }, () => leadMs.min + Math.random() * (leadMs.max - leadMs.min))
  await Promise.all(leads.map(editor.create))
}

/** Edits posts at a process that is killed after a random part of the time that this takes. Returns how long it took if it was not killed. */
async function editAndKill(spanMs: number | null): Promise<number> {
  const victim = await pool.take()
  await createPosts()
  const chosen = editable().slice(0, editsPerKill)
  const beganMs = performance.now()
  const edits = Promise.all(chosen.map((post) => editor.edit(post, victim.baseUrl)))
  if (spanMs === null) await edits
  else await sleep(Math.random() * spanMs)
  const tookMs = performance.now() - beganMs
  await victim.kill()
  await edits
  await Promise.all(chosen.map(editor.look))
  return tookMs
}

/** Reads every post that has not ended, again and again. */
function watch(): { stop(): Promise<void> } {
  const state = { isStopped: false }
  const watching = (async () => {
    while (!state.isStopped) {
      for (const post of editable()) await editor.look(post)
      await sleep(20)
    }
  })()
  watching.catch(() => {})
  return {
    stop() {
      state.isStopped = true
      return watching
    },
  }
}

test(`${kills} kills of a process that edits scheduled posts`, { timeout: 900_000 + kills * 20_000 }, async () => {
  const beganMs = Date.now()
  const watching = watch()
  let spanMs = 0
  // The first edits of a process take longest, and every process is new.
  for (let count = 0; count < 2; count++) spanMs = Math.max(spanMs, await editAndKill(null))
  for (let count = 0; count < kills; count++) await editAndKill(spanMs * 1.2)
  await watching.stop()
  await waitUntilFinished()
  for (const post of editor.posts) await editor.compare(post)

  const { posts, edits, faults } = editor
  const figures = {
    kills,
    posts: posts.length,
    looks: editor.looks(),
    spanMs: Math.round(spanMs),
    ...edits,
    faults: faults.length,
  }
  console.log(JSON.stringify(figures))
  if (isWhole) await recordDrill('edits in place while their process is killed', beganMs, figures)
  expect(faults).toEqual([])
  // Otherwise the kills were not around the requests.
  expect(Math.min(edits.lost, edits.answered)).toBeGreaterThanOrEqual(kills / 5)
})

async function waitUntilFinished(): Promise<void> {
  const endMs = Date.now() + 600_000
  for (const post of editor.posts) while ((await editor.look(post)).status !== 'completed' && Date.now() < endMs) await sleep(100)
}

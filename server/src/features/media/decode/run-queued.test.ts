import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../../context.ts'
import { createResources } from '../../../infra/resources/create-resources.ts'
import { makePng } from '../files.fixture.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { runQueued } from './run-decoder.ts'

const png = { type: 'image', mimeType: 'image/png' } as const
const slots = Math.max(2, availableParallelism())
let dir: string
let heavyPath: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-decode-'))
  heavyPath = join(dir, 'heavy')
  await writeFile(heavyPath, await makePng({ width: 8000, height: 8000 }))
}, 60_000)
afterAll(() => rm(dir, { recursive: true, force: true }))

/** The queues need nothing of the context but its resources, and the sandbox the folder of the files. */
function openContext(): Context {
  return { resources: createResources<Context>(), storage: { spoolDir: dir } } as Context
}

/** Guarantee: the heavy files of one workspace do not delay the upload of another one. */
test('a small image is inspected before the backlog of another workspace', async () => {
  const ctx = openContext()
  const smallPath = join(dir, 'small')
  await writeFile(smallPath, await makePng({ width: 1, height: 1 }))
  const inspectSmall = () => inspectFile({ ctx, workspaceId: 'light' }, smallPath, png)

  let finished = 0
  let longestMs = 0
  const backlog = Array.from({ length: slots * 4 }, async (_, at) => {
    const path = join(dir, `heavy-${at}`)
    await copyFile(heavyPath, path)
    const startedMs = performance.now()
    const { width } = await inspectFile({ ctx, workspaceId: 'heavy' }, path, png)
    if (finished < slots) longestMs = Math.max(longestMs, performance.now() - startedMs)
    finished++
    return width
  })
  // The first heavy files are being decoded and all others wait.
  await Promise.race(backlog)
  const [finishedBefore, startedMs] = [finished, performance.now()]
  await inspectSmall()
  const waitedMs = performance.now() - startedMs
  // It waits for one task that is running, and shares the processors with the others while its own runs.
  expect(finished - finishedBefore).toBeLessThanOrEqual(slots * 2)
  expect(waitedMs).toBeLessThan(longestMs * 2 + 2000)
  expect(await Promise.all(backlog)).toEqual(Array.from({ length: slots * 4 }, () => 8000))
}, 120_000)

/** Guarantee: an upload never waits for a render, and one workspace cannot occupy all slots for renders. */
test('renders and inspections have separate slots', async () => {
  const ctx = openContext()
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const renders = Array.from({ length: slots * 2 }, () => runQueued({ ctx, workspaceId: 'heavy' }, 'render', () => end))
  expect(await runQueued({ ctx, workspaceId: 'heavy' }, 'inspect', async () => 'inspected')).toBe('inspected')
  expect(await runQueued({ ctx, workspaceId: 'light' }, 'render', async () => 'rendered')).toBe('rendered')
  resolve()
  await Promise.all(renders)
})

test('two contexts share no queue', async () => {
  const [one, other] = [openContext(), openContext()]
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const tasks = Array.from({ length: slots }, () => runQueued({ ctx: one, workspaceId: 'a' }, 'inspect', () => end))
  expect(await runQueued({ ctx: other, workspaceId: 'a' }, 'inspect', async () => 'done')).toBe('done')
  resolve()
  await Promise.all(tasks)
})

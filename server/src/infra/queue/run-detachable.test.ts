import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { pino } from 'pino'
import type { Context } from '../../context.ts'
import { createResources } from '../resources/create-resources.ts'
import type { Job } from '../engine/engine.ts'
import { finishDetached, runDetachable, type Destination } from './run-detachable.ts'

/** Guarantee: a run holds a place of the engine for at most two seconds, whatever the server does that it waits for. */

const placeMsMax = 2_000
const followUp: Job = { service: 'test', handler: 'next', payload: null }

/** A process with work that ends when the test says so. */
function openProcess() {
  const sent: Job[] = []
  const kept: string[] = []
  const calls: { name: string; end(jobs?: Job[]): void; fail(error: Error): void }[] = []
  let refusals = 0
  const send = async (job: Job) => {
    if (refusals-- > 0) throw new Error('the engine is away')
    sent.push(job)
  }
  const ctx = {
    log: pino({ level: 'silent' }),
    engine: { wakeWorkers: () => {}, send, waitFor: async () => {} },
    resources: createResources<Context>(),
  } as unknown as Context
  opened.push(ctx)
  const keep = async (_: Context, names: readonly string[]) => void kept.push(...names)
  const run = (workspaceId: string, name: string, to: Destination = { chosenHost: 'slow.example' }) =>
    runDetachable(ctx, { workspaceId, to, job: jobOf(name), refs: [name], keep }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<Job[]>()
      calls.push({ name, end: (jobs = [followUp]) => resolve(jobs), fail: reject })
      return promise
    })
  return { ctx, sent, kept, calls, run, refuse: (times: number) => void (refusals = times) }
}
const opened: Context[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map((ctx) => ctx.resources.close()))
})

const jobOf = (name: string): Job => ({ service: 'test', handler: 'again', payload: name })
const addMany = (run: (name: string) => Promise<Job[]>, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(String(n))))

async function timed<T>(work: Promise<T>): Promise<{ result: T; tookMs: number }> {
  const beganMs = performance.now()
  return { result: await work, tookMs: performance.now() - beganMs }
}

test('a run waits for work that is done soon, and returns its jobs', async () => {
  const { calls, run, sent } = openProcess()
  const running = run('a', 'soon')
  calls[0]?.end()
  expect(await running).toEqual([followUp])
  expect(sent).toEqual([])
})

test('a run ends before slow work, whose jobs the process enqueues when it is done', async () => {
  const { calls, run, sent, kept } = openProcess()
  const { result, tookMs } = await timed(run('a', 'slow'))
  expect(result).toEqual([])
  expect(tookMs).toBeLessThan(placeMsMax * 2)
  expect(kept).toEqual(['slow'])
  calls[0]?.end()
  await expect.poll(() => sent, { timeout: 10_000 }).toEqual([followUp])
})

test('an error of work that a run waits for reaches the engine, and later the work is enqueued again', async () => {
  const { calls, run, sent } = openProcess()
  const failing = run('a', 'soon')
  calls[0]?.fail(new Error('no database'))
  await expect(failing).rejects.toThrow('no database')
  await run('a', 'slow')
  calls[1]?.fail(new Error('no database'))
  await expect.poll(() => sent, { timeout: 10_000 }).toMatchObject([{ handler: 'again', payload: 'slow' }])
})

test('jobs are enqueued when the engine is back', async () => {
  const { calls, run, sent, refuse } = openProcess()
  await run('a', 'slow')
  refuse(2)
  calls[0]?.end()
  await expect.poll(() => sent, { timeout: 10_000 }).toEqual([followUp])
})

/** Guarantee: one workspace never holds more than its share of the places, and all together leave most of them free. */
test('few runs of a workspace wait, and all others end at once', async () => {
  const { run } = openProcess()
  const first = Array.from({ length: 4 }, (_, n) => openEnded(run('a', `first${n}`, { platform: 'x' })))
  // Another workspace still waits for its own.
  const other = openEnded(run('b', 'other'))
  await addMany((name) => run('a', name, { platform: 'x' }), 500)
  expect([...first, other].map(({ isEnded }) => isEnded)).toEqual([false, false, false, false, false])
  await Promise.all(first.map(({ done }) => done))
})

test('many workspaces do not hold more than a part of the places', async () => {
  const { run } = openProcess()
  const runs = Array.from({ length: 200 }, (_, n) => openEnded(run(`w${n}`, `work${n}`, { platform: 'x' })))
  await sleep(200)
  expect(runs.filter(({ isEnded }) => !isEnded).length).toBeLessThanOrEqual(32)
  await Promise.all(runs.map(({ done }) => done))
})

function openEnded(work: Promise<unknown>) {
  const state = { isEnded: false, done: work.then(() => void (state.isEnded = true)) }
  return state
}

test('a workspace with many slow servers has few calls in progress, and another one is called at once', async () => {
  const { run, calls } = openProcess()
  await Promise.all(Array.from({ length: 100 }, (_, n) => run('a', `a${n}`, { chosenHost: `server${n}.example` })))
  expect(calls).toHaveLength(8)
  void run('b', 'b', { chosenHost: 'other.example' })
  expect(calls.at(-1)?.name).toBe('b')
})

test('a slow server that many workspaces use leaves slots for other servers', async () => {
  const { run, calls } = openProcess()
  await Promise.all(Array.from({ length: 100 }, (_, n) => run(`w${n}`, `work${n}`)))
  expect(calls).toHaveLength(16)
  void run('w99', 'fast', { chosenHost: 'fast.example' })
  expect(calls.at(-1)?.name).toBe('fast')
})

/** Guarantee: what waits in memory is bounded. */
test('work beyond the bound returns to the engine and is not forgotten', async () => {
  const { run, kept } = openProcess()
  const results = await addMany((name) => run('a', name), 1_200)
  const returned = results.flat()
  expect(returned).toHaveLength(1_200 - 1_000 - 8)
  for (const { handler, delayMs } of returned) {
    expect(handler).toBe('again')
    expect(delayMs).toBeGreaterThanOrEqual(5_000)
  }
  expect(kept).toHaveLength(1_200)
})

test('as long as the process is at work, other processes leave it alone', async () => {
  vi.useFakeTimers()
  const { run, kept, calls } = openProcess()
  const running = run('a', 'slow')
  await vi.advanceTimersByTimeAsync(2_000)
  await running
  await vi.advanceTimersByTimeAsync(45_000)
  expect(kept).toEqual(['slow', 'slow', 'slow'])
  calls[0]?.end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(kept).toHaveLength(3)
})

/** Guarantee: a worker that stops finishes what it began and hands on what it did not begin. */
test('at the end of the process, calls are awaited and what waits returns to the engine', async () => {
  const { ctx, run, sent, calls } = openProcess()
  await addMany((name) => run('a', name), 10)
  const ending = openEnded(finishDetached(ctx, 10_000))
  await expect.poll(() => sent, { timeout: 10_000 }).toMatchObject([{ payload: '8' }, { payload: '9' }])
  expect(ending.isEnded).toBe(false)
  for (const call of calls) call.end([])
  await ending.done
  expect(await run('a', 'late')).toEqual([jobOf('late')])
  expect(calls).toHaveLength(8)
})

test('calls that do not end do not hold the end of the process', async () => {
  const { ctx, run } = openProcess()
  await run('a', 'slow')
  expect(await finishDetached(ctx, 50)).toBe(false)
})

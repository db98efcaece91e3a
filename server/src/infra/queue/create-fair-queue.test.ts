import { expect, test } from 'vitest'
import { createFairQueue } from './create-fair-queue.ts'

/** A queue whose tasks run until the test ends them. `started` lists the tasks in the order in which they started. */
function openQueue(limits: Parameters<typeof createFairQueue>[0]) {
  const queue = createFairQueue(limits)
  const started: string[] = []
  const running = new Map<string, { end(): void; fail(error: Error): void }>()
  /** Adds a task; the first letter of its name is its workspace, and what follows its number is its server. */
  const add = (name: string): Promise<string> =>
    queue.run({ workspaceId: name.slice(0, 1), server: name.slice(2) }, () => {
      started.push(name)
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      running.set(name, { end: () => resolve(name), fail: reject })
      return promise.finally(() => running.delete(name))
    })
  const end = async (name: string, error?: Error) => {
    const task = running.get(name)
    if (!task) throw new Error(`${name} is not running`)
    if (error) task.fail(error)
    else task.end()
    await settle()
  }
  return { queue, add, end, started, running: () => [...running.keys()] }
}

/** Lets all promise callbacks run. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

const addAll = async (add: (name: string) => Promise<string>, names: readonly string[]) => {
  for (const name of names) void add(name)
  await settle()
}

test('no more tasks run at once than there are slots, and a workspace that is alone uses all of them', async () => {
  const { add, end, running } = openQueue({ slots: 2 })
  await addAll(add, ['a1', 'a2', 'a3'])
  expect(running()).toEqual(['a1', 'a2'])
  await end('a2')
  expect(running()).toEqual(['a1', 'a3'])
})

/** Guarantee: a backlog of one workspace delays another one by at most one task. */
test('the next free slot goes to a workspace that has nothing running, however many tasks waited before', async () => {
  const { add, end, running } = openQueue({ slots: 2 })
  await addAll(add, ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'])
  await end('a1')
  expect(running()).toEqual(['a2', 'b1'])
})

test('while others wait, a workspace has no more than its share of the slots', async () => {
  const { add, end, running } = openQueue({ slots: 4 })
  await addAll(add, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3'])
  await end('a1')
  await end('a2')
  expect(running()).toEqual(['a3', 'a4', 'b1', 'b2'])
  await end('b1')
  expect(running()).toEqual(['a3', 'a4', 'b2', 'b3'])
})

/** Guarantee: no workspace waits forever. */
test('workspaces take turns, and the tasks of one workspace start in their order', async () => {
  const { add, end, started } = openQueue({ slots: 1 })
  await addAll(add, ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
  for (let at = 0; at < 6; at++) {
    await end(started[at] ?? '')
    // A workspace that always adds a new task does not push the others back.
    if (at < 3) await addAll(add, [`d${at}`])
  }
  expect(started.slice(0, 7)).toEqual(['a1', 'b1', 'c1', 'a2', 'd0', 'b2', 'a3'])
})

test('a slot stays free for another workspace if the limit per workspace is reached', async () => {
  const { add, end, running } = openQueue({ slots: 2, perWorkspaceMax: 1 })
  await addAll(add, ['a1', 'a2'])
  expect(running()).toEqual(['a1'])
  await addAll(add, ['b1'])
  expect(running()).toEqual(['a1', 'b1'])
  await end('b1')
  expect(running()).toEqual(['a1'])
  await end('a1')
  expect(running()).toEqual(['a2'])
})

test('a task that fails frees its slot, and its error reaches the caller', async () => {
  const { add, end, running } = openQueue({ slots: 1 })
  const failed = add('a1').catch((error: unknown) => error)
  const next = add('a2')
  await settle()
  await end('a1', new Error('damaged'))
  expect(await failed).toMatchObject({ message: 'damaged' })
  expect(running()).toEqual(['a2'])
  await end('a2')
  expect(await next).toBe('a2')
})

test('a task that throws before it returns a promise frees its slot', async () => {
  const queue = createFairQueue({ slots: 1 })
  const broken = () => {
    throw new Error('not started')
  }
  await expect(queue.run({ workspaceId: 'a' }, broken)).rejects.toThrow('not started')
  expect(await queue.run({ workspaceId: 'a' }, async () => 'next')).toBe('next')
})

/** Guarantee: a slow server occupies a part of the slots only, and delays no task for another server. */
test('tasks on one server are limited, and the other tasks of the workspace do not wait for them', async () => {
  const { add, end, running } = openQueue({ slots: 4, perServerMax: 1 })
  await addAll(add, ['a1slow', 'a2slow', 'a3fast', 'b1slow', 'b2other'])
  expect(running()).toEqual(['a1slow', 'a3fast', 'b2other'])
  await end('a1slow')
  expect(running()).toEqual(['a3fast', 'b2other', 'b1slow'])
})

test('no more tasks wait than the bounds allow', async () => {
  const { queue, add } = openQueue({ slots: 1, waitingMax: 3, waitingPerWorkspaceMax: 2 })
  await addAll(add, ['a1', 'a2'])
  expect([queue.hasRoom('a'), queue.hasRoom('b')]).toEqual([true, true])
  await addAll(add, ['a3'])
  expect([queue.hasRoom('a'), queue.hasRoom('b')]).toEqual([false, true])
  await addAll(add, ['b1'])
  expect([queue.hasRoom('b'), queue.hasRoom('c')]).toEqual([false, false])
})

test('at the end of a process everything that waits is started', async () => {
  const { queue, add, running } = openQueue({ slots: 1 })
  await addAll(add, ['a1', 'a2', 'b1'])
  queue.startAll()
  await addAll(add, ['c1'])
  expect(running()).toEqual(['a1', 'a2', 'b1', 'c1'])
})

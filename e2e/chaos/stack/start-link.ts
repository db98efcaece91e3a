import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@carillon/stack/services'

/** A connection between two parts of the stack that can fail: a TCP proxy on a port of its own. */
export type Link = {
  port: number
  /** Closes all connections, and refuses new ones for this long. */
  cut(forMs: number): Promise<void>
  /** Drops everything on the open connections from now on, without closing them. Neither end learns about it. New connections work. */
  halfOpen(): void
  /** Holds everything back for this long, new connections too, and then delivers it, as TCP does after a network was away. */
  partition(forMs: number): Promise<void>
  /** Delays everything by `delayMs` for this long. */
  slow(forMs: number, delayMs: number): Promise<void>
  /** Closes all connections. New ones go to another port. */
  retarget(port: number): void
  close(): void
}

type Pair = { near: Socket; far: Socket; isDropped: boolean }

export async function startLink(firstTarget: number): Promise<Link> {
  let targetPort = firstTarget
  const pairs = new Set<Pair>()
  let refuses = 0
  let delayMs = 0
  let healed: Promise<void> | null = null

  /** Resolves when data may pass. Null means at once, which is the usual case and keeps the cost of the proxy low. */
  const passage = (): Promise<void> | null => {
    if (healed === null && delayMs === 0) return null
    return (async () => {
      while (healed !== null) await healed
      if (delayMs > 0) await sleep(delayMs)
    })()
  }
  const forward = (pair: Pair, from: Socket, to: Socket) => {
    const write = (chunk: Buffer) => {
      if (pair.isDropped || to.destroyed) return
      if (to.write(chunk)) return
      from.pause()
      to.once('drain', () => from.resume())
    }
    let order: Promise<void> | null = null
    const inOrder = (work: () => void) => {
      const wait = passage()
      if (wait === null && order === null) return work()
      const turn = Promise.all([order, wait]).then(work)
      order = turn
      void turn.then(() => {
        if (order === turn) order = null
      })
    }
    from.on('data', (chunk: Buffer) => inOrder(() => write(chunk)))
    from.on('error', () => {})
    // The end of a dropped connection reaches the other side as little as its data.
    from.on('close', () => inOrder(() => pair.isDropped || to.destroy()))
  }
  const server = createServer((near) => {
    near.on('error', () => {})
    if (refuses > 0) {
      near.destroy()
      return
    }
    const far = connect(targetPort, '127.0.0.1')
    const pair: Pair = { near, far, isDropped: false }
    pairs.add(pair)
    forward(pair, near, far)
    forward(pair, far, near)
    for (const socket of [near, far]) socket.on('close', () => near.destroyed && far.destroyed && pairs.delete(pair))
  })
  const destroyAll = () => {
    for (const { near, far } of pairs) {
      near.destroy()
      far.destroy()
    }
    pairs.clear()
  }
  const port = await freePort()
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done))
  return {
    port,
    async cut(forMs) {
      refuses++
      destroyAll()
      await sleep(forMs)
      refuses--
    },
    halfOpen() {
      for (const pair of pairs) pair.isDropped = true
    },
    async partition(forMs) {
      const end = sleep(forMs)
      healed = Promise.all([healed, end]).then(() => {})
      const mine = healed
      await mine
      if (healed === mine) healed = null
    },
    async slow(forMs, byMs) {
      delayMs = byMs
      await sleep(forMs)
      delayMs = 0
    },
    retarget(to) {
      targetPort = to
      destroyAll()
    },
    close() {
      server.close()
      destroyAll()
    },
  }
}

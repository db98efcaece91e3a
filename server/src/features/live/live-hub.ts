import type { Context } from '../../context.ts'
import { listValidSessions } from '../people/find-session-holder.ts'
import { findLiveRange, findMissedLiveEvents, findNewLiveEvents, liveChannel, type LiveEvent } from './live-event.store.ts'
import type { LiveStream } from './live-stream.ts'

/** How often connections are kept open, and sessions and memberships are checked again. */
const tickMs = 15_000
const readMax = 1000
/** A client that missed more than this loads everything again. */
const missedMax = 1000
const streamsPerPersonMax = 20

/** The streams of this process. One connection listens for news, and one query reads them for all streams. */
class LiveHub {
  readonly #ctx: Context
  readonly #streams = new Set<LiveStream>()
  readonly #byWorkspace = new Map<string, Set<LiveStream>>()
  #started: Promise<void> | null = null
  #unlisten: (() => Promise<void>) | null = null
  #tick: NodeJS.Timeout | null = null
  /** Every event up to this position has been passed to the streams. */
  #position = 0
  #reading: Promise<void> | null = null
  #hasNews = false
  #isClosed = false

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get size(): number {
    return this.#streams.size
  }

  get position(): number {
    return this.#position
  }

  /** Begins to listen, at the first stream. Processes without streams have no connection for it. */
  start(): Promise<void> {
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = null
      throw error
    })
    return this.#started
  }

  isFull(personId: string): boolean {
    let count = 0
    for (const stream of this.#streams) if (stream.personId === personId) count++
    return count >= streamsPerPersonMax
  }

  add(stream: LiveStream): void {
    this.#streams.add(stream)
    const ofWorkspace = this.#byWorkspace.get(stream.workspaceId) ?? new Set()
    this.#byWorkspace.set(stream.workspaceId, ofWorkspace.add(stream))
  }

  remove(stream: LiveStream): void {
    this.#streams.delete(stream)
    const ofWorkspace = this.#byWorkspace.get(stream.workspaceId)
    ofWorkspace?.delete(stream)
    if (ofWorkspace?.size === 0) this.#byWorkspace.delete(stream.workspaceId)
  }

  /** What a client that has seen everything up to `afterId` has missed; null when that is no longer known. */
  async findMissed(workspaceId: string, afterId: number): Promise<LiveEvent[] | null> {
    const { system } = this.#ctx.db
    // The range is read second: if rows are deleted in between, it tells that some may be missing.
    const missed = await findMissedLiveEvents(system, { workspaceId, afterId, limit: missedMax + 1 })
    const { oldest, newest } = await findLiveRange(system)
    const isStored = oldest !== null && newest !== null && afterId >= oldest - 1 && afterId <= newest
    const isCurrent = missed.length === 0 && afterId === this.#position
    return (isStored || isCurrent) && missed.length <= missedMax ? missed : null
  }

  /** Ends all streams; no further one is accepted. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#tick) clearInterval(this.#tick)
    for (const stream of this.#streams) stream.end()
    this.#streams.clear()
    this.#byWorkspace.clear()
    await this.#started?.catch(() => {})
    await this.#unlisten?.()
    this.#unlisten = null
    await this.#reading
  }

  async #start(): Promise<void> {
    const { newest } = await findLiveRange(this.#ctx.db.system)
    this.#position = newest ?? 0
    // Also called after every new subscription, so that nothing is missed while the connection was away.
    this.#unlisten = await this.#ctx.db.listen(liveChannel, () => this.#read())
    this.#tick = setInterval(() => this.#onTick(), tickMs)
    this.#tick.unref()
    if (this.#isClosed) clearInterval(this.#tick)
  }

  #onTick(): void {
    if (this.#streams.size === 0) return
    this.#read()
    void this.#check([...this.#streams])
    for (const stream of this.#streams) stream.keepAlive(this.#position)
  }

  /** Reads what is new. News that arrive while a read runs are read after it. */
  #read(): void {
    this.#hasNews = true
    this.#reading ??= this.#readAll()
      .catch((error: unknown) => this.#ctx.log.warn({ err: error }, 'live events could not be read; they are read again'))
      .finally(() => {
        this.#reading = null
      })
  }

  async #readAll(): Promise<void> {
    while (this.#hasNews && !this.#isClosed) {
      this.#hasNews = false
      const events = await findNewLiveEvents(this.#ctx.db.system, this.#position, readMax)
      this.#deliver(events)
      if (events.length === readMax) this.#hasNews = true
      if (events.length === 0) await this.#checkPosition()
    }
  }

  #deliver(events: readonly LiveEvent[]): void {
    const changed = new Set<LiveStream>()
    for (const event of events) {
      const streams = this.#byWorkspace.get(event.workspaceId)
      for (const stream of streams ?? []) {
        stream.send(event)
        if (event.event === 'workspace.changed') changed.add(stream)
      }
    }
    this.#position = events.at(-1)?.id ?? this.#position
    // A member may have been removed.
    if (changed.size > 0) void this.#check([...changed])
  }

  /** After a restore of the database, positions start again below those that clients have seen. */
  async #checkPosition(): Promise<void> {
    const { newest } = await findLiveRange(this.#ctx.db.system)
    if (newest === null || newest >= this.#position) return
    this.#position = newest
    for (const stream of this.#streams) stream.reset(newest)
  }

  /** Ends the streams of sessions that have ended and of people who are no longer members. */
  async #check(streams: readonly LiveStream[]): Promise<void> {
    try {
      const isValid = await listValidSessions(this.#ctx, streams)
      for (const stream of streams) if (!isValid(stream)) stream.end()
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'the sessions of live streams could not be checked; they are checked again')
    }
  }
}

function createLiveHub(ctx: Context) {
  const value = new LiveHub(ctx)
  return { value, close: () => value.close() }
}

export function liveHub(ctx: Context): LiveHub {
  return ctx.resources.get(createLiveHub, ctx)
}

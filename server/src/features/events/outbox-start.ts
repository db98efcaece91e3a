import type { Context } from '../../context.ts'
import type { OutboxView } from './outbox.store.ts'

/** One look in so many, a minute without events, is from the beginning, whatever was learned. */
const fullLookEvery = 240

/**
 * Where the outbox begins, as far as this process knows. Events are deleted as soon as they are relayed, but while a backup holds a snapshot
 * PostgreSQL cannot remove them, and a relay that reads from the beginning passes all of them every time.
 *
 * Transactions commit in another order than they got their ids, so an id is passed in three looks: the first reads the newest id that was
 * given out; the second, in a later snapshot, which transactions may still have one up to it; a third finds that all of those have ended
 * and that no event is left up to it. A snapshot that only reads, like that of a backup, has no transaction number and delays nothing.
 */
class OutboxStart {
  #after = 0
  #looks = 0
  #next: { id: number; endedFrom: bigint | null } | null = null

  /** Look at events after this id. */
  get after(): number {
    return this.#looks % fullLookEvery === 0 ? 0 : this.#after
  }

  /** Learns from a look at the events after `after`. */
  learn({ first, newestId, xmin, xmax }: OutboxView): void {
    this.#looks++
    // A database that was replaced by an older copy gives ids out again.
    if (newestId < this.#after) {
      this.#after = 0
      this.#next = null
    }
    this.#after = Math.min(this.#after, lastBefore(first))
    if (this.#next?.endedFrom === null) {
      this.#next.endedFrom = xmax
      return
    }
    if (this.#next?.endedFrom !== undefined && xmin < this.#next.endedFrom) return
    if (this.#next) this.#after = Math.max(this.#after, Math.min(this.#next.id, lastBefore(first)))
    this.#next = { id: newestId, endedFrom: null }
  }
}

function lastBefore(first: number | null): number {
  return first === null ? Infinity : first - 1
}

function createOutboxStart() {
  return { value: new OutboxStart() }
}

export function outboxStart(ctx: Context): OutboxStart {
  return ctx.resources.get(createOutboxStart, ctx)
}

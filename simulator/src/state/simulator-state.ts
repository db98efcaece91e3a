import { Calls } from './call-counts.ts'
import { Faults } from './faults.ts'
import { MediaShelf } from './media-store.ts'
import { Posts } from './posts.ts'
import { Recording } from './recording.ts'

/** Everything the platforms have in common: one world, one clock, one body of evidence. */
export class World {
  readonly posts = new Posts()
  readonly media = new MediaShelf()
  readonly calls = new Calls()
  readonly faults = new Faults()
  readonly recording = new Recording()
  /** Known once the server listens. */
  url = ''
  #clockOffsetMs = 0

  now(): number {
    return Date.now() + this.#clockOffsetMs
  }

  /** Lets a test see a token or a container grow old without waiting for it. */
  advance(ms: number): void {
    this.#clockOffsetMs += ms
  }

  resetClock(): void {
    this.#clockOffsetMs = 0
  }
}

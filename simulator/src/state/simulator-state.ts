import { CallCounts } from './call-counts.ts'
import { Faults } from './faults.ts'
import { MediaStore } from './media-store.ts'
import { Posts } from './posts.ts'
import { Recording } from './recording.ts'
import { Submits } from './submits.ts'

/** The state all platforms share. */
export class SimulatorState {
  readonly posts = new Posts()
  readonly media = new MediaStore()
  readonly calls = new CallCounts()
  readonly faults = new Faults()
  readonly recording = new Recording()
  readonly submits = new Submits()
  /** Set as soon as the server listens. */
  url = ''
  /** What a person should know about the stored data, shown on every page. */
  storageNotice: string | undefined = undefined
  /** How far the clock of the platforms is ahead of the real one. */
  clockOffsetMs = 0

  now(): number {
    return Date.now() + this.clockOffsetMs
  }

  /** Moves the clock of the platforms, so that a test can let a token or a container expire without waiting. */
  advance(ms: number): void {
    this.clockOffsetMs += ms
  }

  resetClock(): void {
    this.clockOffsetMs = 0
  }
}

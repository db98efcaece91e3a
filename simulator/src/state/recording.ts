import type { Post } from './entities.ts'

const prefixLength = 40
const linesPerChunk = 1000

/** Arrival times of published posts, in parallel arrays to save memory: a benchmark records millions of posts. */
export class Recording {
  #platforms: string[] = []
  #handles: string[] = []
  #prefixes: string[] = []
  #times: number[] = []
  on = false

  add(post: Post, arrivedAtMs: number): void {
    this.#platforms.push(post.platform)
    this.#handles.push(post.account.handle)
    this.#prefixes.push(post.text.slice(0, prefixLength))
    this.#times.push(arrivedAtMs)
  }

  clear(): void {
    this.#platforms = []
    this.#handles = []
    this.#prefixes = []
    this.#times = []
  }

  /** NDJSON in chunks, because the whole text can exceed the maximum length of a string. */
  *chunks(): Generator<string> {
    for (let from = 0; from < this.#times.length; from += linesPerChunk) {
      let chunk = ''
      const to = Math.min(from + linesPerChunk, this.#times.length)
      for (let at = from; at < to; at++) chunk += `${JSON.stringify(this.#line(at))}\n`
      yield chunk
    }
  }

  #line(at: number) {
    return { platform: this.#platforms[at], handle: this.#handles[at], textPrefix: this.#prefixes[at], atMs: this.#times[at] }
  }
}

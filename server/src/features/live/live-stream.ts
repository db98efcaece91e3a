import type { ServerResponse } from 'node:http'
import type { LiveEvent } from './live-event.store.ts'

/** A client that reads more slowly than events arrive is disconnected when this much waits for it. It then continues where it stopped. */
const waitingBytesMax = 65_536
/** How long a browser waits before it connects again. */
const retryMs = 3000

type Holder = { workspaceId: string; personId: string; token: string }

/** One open connection of a browser. It has no database connection. */
export class LiveStream {
  readonly workspaceId: string
  readonly personId: string
  /** The session that opened it. */
  readonly token: string
  readonly #response: ServerResponse
  /** The position up to which the client has everything. */
  #sentId = 0
  /** Events that arrive before the stream has begun. */
  #early: LiveEvent[] | null = []

  constructor({ workspaceId, personId, token }: Holder, response: ServerResponse) {
    this.workspaceId = workspaceId
    this.personId = personId
    this.token = token
    this.#response = response
  }

  /** Sends the headers and what the client has missed. Null: it is unknown what the client has missed, so it must load everything again. */
  begin(headers: Record<string, string>, position: number, missed: readonly LiveEvent[] | null): void {
    this.#response.writeHead(200, headers)
    const early = this.#early ?? []
    this.#early = null
    this.#sentId = position
    // An id without data reports the position without an event. A client that has received no event yet can continue from it.
    this.#write(`retry: ${retryMs}\nid: ${position}\n\n`)
    if (missed === null) this.#write(`event: reset\nid: ${position}\ndata: {}\n\n`)
    for (const event of [...(missed ?? []), ...early]) this.send(event)
  }

  send(event: LiveEvent): void {
    if (this.#early) {
      this.#early.push(event)
      return
    }
    if (event.id <= this.#sentId) return
    this.#sentId = event.id
    this.#write(`id: ${event.id}\nevent: ${event.event}\ndata: ${event.data}\n\n`)
  }

  /** The positions have started again from the beginning: the client must load everything again. */
  reset(position: number): void {
    if (this.#early) return
    this.#sentId = position
    this.#write(`event: reset\nid: ${position}\ndata: {}\n\n`)
  }

  /** Keeps the connection open through proxies, and tells the client the position, so that it can continue after a long quiet time. */
  keepAlive(position: number): void {
    if (this.#early) return
    this.#sentId = Math.max(this.#sentId, position)
    this.#write(`: \nid: ${this.#sentId}\n\n`)
  }

  end(): void {
    // Without its headers, an ended response would look like an empty success.
    if (this.#early) this.#response.destroy()
    else this.#response.end()
  }

  #write(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return
    if (!this.#response.write(text) && this.#response.writableLength > waitingBytesMax) this.#response.destroy()
  }
}

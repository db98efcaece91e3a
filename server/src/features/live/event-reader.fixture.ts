import { get, type IncomingMessage } from 'node:http'

export type ReceivedEvent = { id: number; event: string; data: { ids: string[]; channels?: string[]; by: string | null } }

type Options = { cookie: string; lastId?: number }

/** A client of the stream. Like a browser, it remembers the last id, also that of a message without data. */
export class EventReader {
  static async open(url: string, { cookie, lastId }: Options): Promise<EventReader> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const headers = { cookie, ...(lastId !== undefined && { 'last-event-id': String(lastId) }) }
    get(url, { headers, agent: false }, resolve).on('error', reject)
    const response = await promise
    const reader = new EventReader(response)
    if (response.statusCode === 200) await reader.waitFor(() => reader.lastId !== null)
    return reader
  }

  readonly response: IncomingMessage
  readonly events: ReceivedEvent[] = []
  lastId: number | null = null
  isEnded = false
  body = ''
  #rest = ''

  private constructor(response: IncomingMessage) {
    this.response = response
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => this.#read(chunk))
    response.on('error', () => {})
    response.on('close', () => {
      this.isEnded = true
    })
  }

  get status(): number {
    return this.response.statusCode ?? 0
  }

  /** The events so far, without their positions and times. */
  get seen(): [string, string[]][] {
    return this.events.map(({ event, data }) => [event, data.ids])
  }

  async waitFor(isTrue: () => boolean, timeoutMs = 5000): Promise<void> {
    const endMs = performance.now() + timeoutMs
    while (!isTrue()) {
      if (performance.now() > endMs) throw new Error(`waited for too long; seen ${JSON.stringify(this.events)}`)
      await new Promise((done) => setTimeout(done, 5))
    }
  }

  close(): void {
    this.response.destroy()
  }

  #read(chunk: string): void {
    this.body += chunk
    const messages = (this.#rest + chunk).split('\n\n')
    this.#rest = messages.pop() ?? ''
    for (const message of messages) this.#readMessage(message)
  }

  #readMessage(message: string): void {
    const fields = new Map(
      message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    )
    const id = fields.get('id')
    if (id !== undefined) this.lastId = Number(id)
    const data = fields.get('data')
    if (data === undefined) return
    this.events.push({ id: Number(id), event: fields.get('event') ?? 'message', data: JSON.parse(data) })
  }
}

import type { Ticket } from './errands.ts'

/** Sends this process is waiting for an answer to. While one is here, nobody need ask the platform about it. */
const sends = new Map<string, Promise<unknown>>()

const name = ({ channelId, generation }: Ticket) => `${channelId}:${generation}`

export function isInFlight(ticket: Ticket): boolean {
  return sends.has(name(ticket))
}

export function trackSend<T>(ticket: Ticket, send: Promise<T>): Promise<T> {
  sends.set(name(ticket), send)
  const done = () => void sends.delete(name(ticket))
  send.then(done, done)
  return send
}

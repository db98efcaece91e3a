import { setTimeout as sleep } from 'node:timers/promises'
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

const crowdedFrom = 200
const patienceMs = 2_000

/** Waits for a moment with few sends under way, but not for long: in a burst the posts themselves come first. */
export async function quietMoment(): Promise<void> {
  const endMs = performance.now() + patienceMs
  while (sends.size >= crowdedFrom && performance.now() < endMs) await sleep(50)
}

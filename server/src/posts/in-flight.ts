import { setTimeout as sleep } from 'node:timers/promises'
import type { Ticket } from './errands.ts'

/** Sends this process is waiting for an answer to. While one is here, nobody need ask the platform about it. */
const sends = new Set<string>()

const name = ({ channelId, generation }: Ticket) => `${channelId}:${generation}`

export function isInFlight(ticket: Ticket): boolean {
  return sends.has(name(ticket))
}

/** Sends under way that make a crowd, and how long after one it counts as over: between two batches it is quiet for a moment. */
const crowdedFrom = 200
const calmMs = 500
const patienceMs = 2_000
let crowdedAtMs = -Infinity

export function trackSend<T>(ticket: Ticket, send: Promise<T>): Promise<T> {
  sends.add(name(ticket))
  if (sends.size >= crowdedFrom) crowdedAtMs = performance.now()
  const done = () => void sends.delete(name(ticket))
  send.then(done, done)
  return send
}

/** Waits until a crowd of sends is over, but not for long: in a burst the posts themselves come first. */
export async function quietMoment(): Promise<void> {
  const endMs = performance.now() + patienceMs
  while (performance.now() < Math.min(endMs, crowdedAtMs + calmMs)) await sleep(50)
}

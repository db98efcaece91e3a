import { setTimeout as sleep } from 'node:timers/promises'
import type { LoggedEvent } from '@carillon/sdk'
import { deliveryIdOf, forwardEvent, type Attempt } from './forward-event.ts'
import { writeListenState } from './listen-state.ts'

/** What happened with one event. `forwarded` is false if it was given up, or if its post or account no longer exists. */
export type Forwarded = { id: string; event: string; deliveryId: string; forwarded: boolean; result: string }

type Forwarding = {
  events: AsyncIterable<LoggedEvent>
  forward: string
  secret: string
  /** Where the position is kept. */
  file: string
  /** After how many attempts an event is given up. */
  attemptsMax: number
  report: (forwarded: Forwarded) => void
  note: (text: string) => void
}

const waitsMs = [1000, 2000, 5000, 10_000, 30_000]

/** Forwards each event when the one before it was accepted. The position moves on afterwards, so that a crash repeats an event and loses none. */
export async function forwardAll({ events, forward, secret, file, attemptsMax, report, note }: Forwarding): Promise<void> {
  for await (const event of events) {
    const { isAccepted, result } = await forwardUntilAccepted(event, { forward, secret, attemptsMax, note })
    await writeListenState(file, { position: { cursor: event.id }, secret })
    report({ id: event.id, event: event.event, deliveryId: deliveryIdOf(event), forwarded: isAccepted, result })
  }
}

type Trying = Pick<Forwarding, 'forward' | 'secret' | 'attemptsMax' | 'note'>

async function forwardUntilAccepted(event: LoggedEvent, { forward, secret, attemptsMax, note }: Trying): Promise<Attempt> {
  // A webhook has no body for what no longer exists, and receivers do not expect one.
  if (event.data === null) return { isAccepted: false, result: 'deleted since' }
  for (let attempt = 1; ; attempt++) {
    const outcome = await forwardEvent(event, { forward, secret })
    if (outcome.isAccepted || attempt >= attemptsMax) return outcome
    const waitMs = waitsMs[Math.min(attempt, waitsMs.length) - 1] ?? 0
    note(`${event.event} ${event.id} was not accepted (${outcome.result}). Next attempt in ${waitMs / 1000} s.`)
    await sleep(waitMs)
  }
}

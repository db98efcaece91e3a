import { setTimeout as sleep } from 'node:timers/promises'
import type { Carillon, LoggedEvent } from '@carillon/sdk'
import { isAnswered, isCarillonError } from '../describe-failure.ts'

/** After which event to go on: its id, or before the first one a time. */
export type Position = { cursor: string } | { from: string }

type Following = { start: Position; types: string | null; note: (text: string) => void }

const pageMax = 100
const pollMs = 1000
const waitsMs = [1000, 2000, 5000, 10_000, 20_000]

/** Every event after a position, in order and without an end. While Carillon cannot be reached, it is asked again and again. */
export async function* followEvents(events: Carillon['events'], { start, types, note }: Following): AsyncGenerator<LoggedEvent> {
  let position = start
  let failures = 0
  for (;;) {
    const query = { ...position, limit: pageMax, ...(types !== null && { type: types }) }
    const page = await events.list(query).catch((error: unknown) => {
      if (!mayPass(error)) throw error
      if (failures === 0) note('Carillon cannot be reached. Trying again until it can; no event is lost.')
      return null
    })
    if (page === null) {
      await sleep(waitsMs[Math.min(failures++, waitsMs.length - 1)])
      continue
    }
    if (failures > 0) note('Carillon can be reached again.')
    failures = 0
    for (const event of page.data) {
      yield event
      position = { cursor: event.id }
    }
    if (page.nextCursor === null) await sleep(pollMs)
  }
}

/** Whether waiting helps: there is no network, the service is being restarted, or there were too many requests. */
function mayPass(error: unknown): boolean {
  return isCarillonError(error) && (!isAnswered(error) || error.code === 'rate_limited')
}

const recentMs = 600_000

/** Where the log ends now. By the newest event and not by the clock of this machine, which may be ahead. */
export async function findEnd(events: Carillon['events'], nowMs = Date.now()): Promise<Position> {
  let position: Position = { from: new Date(nowMs - recentMs).toISOString() }
  for (;;) {
    const { data, nextCursor } = await events.list({ ...position, limit: pageMax })
    const last = data.at(-1)
    if (last !== undefined) position = { cursor: last.id }
    if (nextCursor === null) return position
  }
}

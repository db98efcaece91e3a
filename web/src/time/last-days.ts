import { Temporal } from 'temporal-polyfill'

/** The first and the last of so many days up to today, as dates in UTC: the server counts figures by days of UTC. */
export function lastDays(count: number): { from: string; to: string } {
  const today = Temporal.Now.plainDateISO('UTC')
  return { from: today.subtract({ days: count - 1 }).toString(), to: today.toString() }
}

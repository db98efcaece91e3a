import type { CalendarEntry } from '@carillon/sdk'
import { readWallTime } from '../time/wall-time.ts'
import { wallTimeIn } from '../time/zoned-day.ts'

export type Move = {
  post: Pick<CalendarEntry, 'uploadId' | 'at' | 'timezone'>
  /** The new wall time, `2027-03-28T09:00`. The server turns it into an instant. */
  wall: string
  zone: string
  isUndo?: true
}

/** The move back: to the time that the post had, in the zone that it had. */
export function undoMove({ post, wall, zone }: Move): Move {
  const oldZone = post.timezone ?? zone
  const at = readWallTime(zone, wall)?.at ?? post.at
  return { post: { ...post, at }, wall: wallTimeIn(oldZone, post.at), zone: oldZone, isUndo: true }
}

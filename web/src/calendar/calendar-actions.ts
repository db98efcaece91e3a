import type { Connection, Note } from '@carillon/sdk'
import { createContext, use } from 'react'
import type { Clocks } from '../time/clocks.ts'
import type { ShownEntry, Slot } from './shown-entry.ts'

/** The dialog that is open above the calendar. */
export type CalendarDialog =
  | { kind: 'move'; entry: ShownEntry }
  | { kind: 'delete'; entry: ShownEntry }
  | { kind: 'day'; day: string }
  | { kind: 'note'; day: string; note: Note | null }
  | null

/** What can be done with the calendar, for its hundreds of chips. It must stay the same value between renderings. */
export type CalendarActions = {
  workspaceId: string
  language: string
  /** Whether the person may write, move and delete posts. */
  mayWrite: boolean
  /** The connections by id. */
  connections: ReadonlyMap<string, Connection>
  /** "09:00 Tokyo · 01:00 for you". */
  clockText: (clocks: Clocks) => string
  /** The name of a platform as people know it. */
  nameOf: (platform: string) => string
  open: (entry: ShownEntry) => void
  /** Opens the composer for a draft or a scheduled post. */
  edit: (entry: ShownEntry) => void
  /** Opens the dialog that asks for the new time. */
  askWhere: (entry: ShownEntry) => void
  moveTo: (entry: ShownEntry, wall: string) => void
  askDelete: (entry: ShownEntry) => void
  /** Opens the composer for a slot. */
  write: (slot: Slot) => void
  /** Shows a note, to read or change it. */
  openNote: (note: Note) => void
  /** Shows everything of a day. */
  showDay: (day: string) => void
}

const CalendarContext = createContext<CalendarActions | null>(null)

export const CalendarActionsProvider = CalendarContext.Provider

/** The platforms on which an entry is or will be published. */
export function platformsOf({ connections }: CalendarActions, entry: ShownEntry): string[] {
  return entry.connections.flatMap((id) => connections.get(id)?.platform ?? [])
}

export function useCalendarActions(): CalendarActions {
  const actions = use(CalendarContext)
  if (!actions) throw new Error('only inside of the calendar')
  return actions
}

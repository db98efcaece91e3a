import { lazy, Suspense } from 'react'
import type { NotesByDay } from '../notes/use-notes.ts'
import { useCalendarActions } from './calendar-actions.ts'

const DayNotes = lazy(async () => ({ default: (await import('../notes/day-notes.tsx')).DayNotes }))

type ShownNotesProps = { notes: NotesByDay; day: string; isInGrid?: boolean }

/** The notes of a day. Most days have none, so the code is loaded for the first that has. */
export function ShownNotes({ notes, day, isInGrid = false }: ShownNotesProps) {
  const { openNote } = useCalendarActions()
  const found = notes.get(day)
  return (
    found && (
      <Suspense>
        <DayNotes notes={found} onOpen={openNote} isInGrid={isInGrid} />
      </Suspense>
    )
  )
}

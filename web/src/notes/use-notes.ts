import type { Note } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { notesList } from '../api/queries.gen.ts'

/** The notes of each of these days, which follow each other. */
export type NotesByDay = ReadonlyMap<string, readonly Note[]>

export function useNotes(workspaceId: string, days: readonly string[]): NotesByDay {
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const { data } = useQuery(notesList(workspaceId, { from, to }))
  return useMemo(() => {
    const has = (day: string) => (data ?? []).filter(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn)
    return new Map(days.map((day) => [day, has(day)] as const).filter(([, notes]) => notes.length > 0))
  }, [data, days])
}

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { contentCalendar } from '../api/queries.gen.ts'
import { queryOfFilter } from '../posts/filter/post-filter.ts'
import { isDay, monthDays, nowIn, spanOfDays, weekDays } from '../time/zoned-day.ts'
import { useOwnZone } from '../workspaces/use-own-zone.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import type { CalendarSearch, View } from './calendar-search.ts'
import { showEntry } from './shown-entry.ts'

/** The days that a view shows, and the posts on them. */
export function useCalendar(search: CalendarSearch, view: View) {
  const { id: workspaceId } = useWorkspace()
  const style = useTimeStyle()
  const ownZone = useOwnZone()
  const now = nowIn(style.zone)
  const today = now.slice(0, 10)
  const day = search.day !== undefined && isDay(search.day) ? search.day : today
  const month = day.slice(0, 7)
  const days = useMemo(
    () => (view === 'week' ? weekDays(day, style.weekStart) : monthDays(month, style.weekStart)),
    [view, day, month, style.weekStart],
  )
  const { data, error, isPending, refetch } = useQuery(
    contentCalendar(workspaceId, { ...spanOfDays(style.zone, days), ...queryOfFilter(search) }),
  )
  const entries = useMemo(
    () => (data?.entries ?? []).map((entry) => showEntry(entry, { style, ownZone })),
    [data, style, ownZone],
  )
  return { day, month, today, now, days, style, entries, isTruncated: data?.truncated ?? false, isPending, error, refetch }
}

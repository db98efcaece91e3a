import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { workspacesConnections } from '../api/queries.gen.ts'
import { usePlatformName } from '../connections/use-platform-name.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { useNotes } from '../notes/use-notes.ts'
import { isFiltered, type PostFilter } from '../posts/filter/post-filter.ts'
import { PostFilters } from '../posts/filter/post-filters.tsx'
import { useMovePost } from '../posts/use-move-post.ts'
import { useClockText } from '../schedule/use-clock-text.ts'
import { Notice } from '../ui/notice.tsx'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { nowIn } from '../time/zoned-day.ts'
import { useMay } from '../workspaces/use-may.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { CalendarActionsProvider, type CalendarActions, type CalendarDialog } from './calendar-actions.ts'
import type { CalendarSearch, View } from './calendar-search.ts'
import { CalendarToolbar } from './calendar-toolbar.tsx'
import { MonthGrid } from './month-grid.tsx'
import { MonthStrip } from './month-strip.tsx'
import { isPast } from './shown-entry.ts'
import { useCalendar } from './use-calendar.ts'
import { useCalendarKeys } from './use-calendar-keys.ts'

// The month is what opens first on a desktop. The other views are loaded when they are shown.
const Agenda = lazy(async () => ({ default: (await import('./agenda.tsx')).Agenda }))
const WeekGrid = lazy(async () => ({ default: (await import('./week-grid.tsx')).WeekGrid }))
const CalendarDialogs = lazy(async () => ({ default: (await import('./calendar-dialogs.tsx')).CalendarDialogs }))

export function CalendarPage() {
  const { t } = useTranslation(['calendar', 'posts'])
  const { id: workspaceId } = useWorkspace()
  const search = useSearch({ from: '/w/$workspaceId/calendar' })
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(width < 48rem)')
  const view: View = isNarrow ? 'agenda' : (search.view ?? 'month')
  const { day, month, today, now, days, style, entries, isTruncated, isPending, error, refetch } = useCalendar(search, view)
  const notes = useNotes(workspaceId, days)
  const [dialog, setDialog] = useState<CalendarDialog>(null)

  const show = useCallback(
    (next: CalendarSearch) =>
      void navigate({ to: '/w/$workspaceId/calendar', params: { workspaceId }, search: next, replace: true }),
    [navigate, workspaceId],
  )
  const onDay = useCallback((next: string) => show({ ...search, day: next }), [show, search])
  const onView = useCallback((next: View) => show({ ...search, view: next }), [show, search])
  const onToday = useCallback(() => {
    const { day: _day, ...rest } = search
    show(rest)
  }, [show, search])
  const { move, undoLast } = useMovePost()
  const actions = useActions({ style, move, setDialog })
  useCalendarKeys({ onToday, onView, onWrite: () => actions.write(day < today ? today : day), onUndo: undoLast })
  useScrollToDay(view === 'agenda' ? search.day : undefined, isPending)

  const grid = { day, month, today, now, days, style, entries, notes, isPending, onDay }
  const setFilter = (filter: PostFilter) => show({ ...filter, ...pickView(search) })
  return (
    <CalendarActionsProvider value={actions}>
      <div className="flex flex-col gap-4">
        <CalendarToolbar
          {...{ view, day, days, isNarrow, onDay, onToday, onView }}
          onNote={actions.mayWrite ? () => setDialog({ kind: 'note', day, note: null }) : null}
          zone={style.zone}
          language={style.language}
        >
          <PostFilters filter={search} onChange={setFilter} isFolded startsOpen={!isNarrow && isFiltered(search)} />
        </CalendarToolbar>
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {isTruncated && (
          <Notice kind="warning" title={t('truncated.title')}>
            {t('truncated.text')}
          </Notice>
        )}
        {view !== 'agenda' && !isPending && !error && entries.length === 0 && (
          <p className="text-quiet">{t(isFiltered(search) ? 'empty.filteredText' : 'empty.hint')}</p>
        )}
        {isNarrow && <MonthStrip {...grid} />}
        {view === 'month' && <MonthGrid {...grid} />}
        <Suspense>
          {view === 'week' && <WeekGrid {...grid} />}
          {view === 'agenda' && <Agenda {...grid} isFiltered={isFiltered(search)} />}
        </Suspense>
      </div>
      <Suspense>
        {dialog && (
          <CalendarDialogs dialog={dialog} entries={entries} style={style} onMove={move} onClose={() => setDialog(null)} />
        )}
      </Suspense>
    </CalendarActionsProvider>
  )
}

type ActionParts = {
  style: { zone: string; language: string }
  move: ReturnType<typeof useMovePost>['move']
  setDialog: (dialog: CalendarDialog) => void
}

/** The value stays the same between renderings, so that chips are not rendered again. */
function useActions({ style, move, setDialog }: ActionParts): CalendarActions {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const { data: connections } = useQuery(workspacesConnections(workspaceId))
  const nameOf = usePlatformName()
  const mayWrite = useMay('editor')
  const { write: clockText } = useClockText()
  return useMemo(
    () => ({
      workspaceId,
      language: style.language,
      mayWrite,
      connections: new Map((connections ?? []).map((connection) => [connection.id, connection])),
      clockText,
      nameOf,
      open: ({ uploadId }) => void navigate({ to: '/w/$workspaceId/posts/$postId', params: { workspaceId, postId: uploadId } }),
      askWhere: (entry) => setDialog({ kind: 'move', entry }),
      moveTo: (entry, wall) => move({ post: entry, wall, zone: style.zone }),
      askDelete: (entry) => setDialog({ kind: 'delete', entry }),
      write: (slot) => {
        if (mayWrite && !isPast(slot, nowIn(style.zone)))
          void navigate({ to: '/w/$workspaceId/compose', params: { workspaceId }, search: { at: startOf(slot) } })
      },
      edit: ({ uploadId }) =>
        void navigate({ to: '/w/$workspaceId/compose', params: { workspaceId }, search: { draft: uploadId } }),
      openNote: (note) => setDialog({ kind: 'note', day: note.startsOn, note }),
      showDay: (day) => setDialog({ kind: 'day', day }),
    }),
    [workspaceId, style, mayWrite, connections, clockText, nameOf, navigate, move, setDialog],
  )
}

function pickView({ view, day }: CalendarSearch): CalendarSearch {
  return { ...(view !== undefined && { view }), ...(day !== undefined && { day }) }
}

/** In the agenda, the day of the address is scrolled to: the first one with posts from it on. */
function useScrollToDay(day: string | undefined, isPending: boolean): void {
  const scrolledTo = useRef<string | null>(null)
  useEffect(() => {
    if (day === undefined || isPending || scrolledTo.current === day) return
    scrolledTo.current = day
    const sections = [...document.querySelectorAll<HTMLElement>('[data-agenda-day]')]
    const section = sections.find(({ dataset }) => (dataset['agendaDay'] ?? '') >= day)
    if (section) showAtTop(section, 5)
  }, [day, isPending])
}

/** The days around it are laid out when they come near the window, and that moves it: so it is shown again in some frames. */
function showAtTop(section: HTMLElement, frames: number): void {
  section.scrollIntoView({ block: 'start' })
  if (frames > 1) requestAnimationFrame(() => showAtTop(section, frames - 1))
}

/** A day is suggested at nine o'clock, an hour at its start. */
function startOf(slot: string): string {
  return slot.includes('T') ? `${slot}:00` : `${slot}T09:00`
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, lazy, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contentCalendar, workspacesConnections } from '../api/queries.gen.ts'
import { usePlatformName } from '../connections/use-start-connect.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { useNotes } from '../notes/use-notes.ts'
import { type PostFilter, isFiltered, queryOfFilter } from '../posts/filter/post-filter.ts'
import { PostFilters } from '../posts/filter/post-filters.tsx'
import { useMovePost } from '../posts/use-move-post.ts'
import { roomBesidePanel, usePostPanel } from '../posts/use-post-panel.ts'
import { useClockText } from '../schedule/use-clock-text.ts'
import { isDay, monthDays, nowIn, spanOfDays, weekDays } from '../time/zoned-day.ts'
import { Notice } from '../ui/notice.tsx'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { useOwnZone } from '../workspaces/use-me.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { type CalendarActions, CalendarActionsProvider, type CalendarDialog } from './calendar-actions.ts'
import type { CalendarSearch, View } from './calendar-search.ts'
import { CalendarToolbar } from './calendar-toolbar.tsx'
import { MonthGrid } from './month-grid.tsx'
import { MonthStrip } from './month-strip.tsx'
import { type ShownEntry, isPast, showEntry } from './shown-entry.ts'

// The month is what opens first on a desktop. The other views are loaded when they are shown.
const Agenda = lazy(async () => ({ default: (await import('./agenda.tsx')).Agenda }))
const WeekGrid = lazy(async () => ({ default: (await import('./week-grid.tsx')).WeekGrid }))
const PostPanel = lazy(async () => ({ default: (await import('../posts/post-panel.tsx')).PostPanel }))
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
  const { postId, open, close } = usePostPanel()
  const actions = useActions({ style, move, setDialog, open })
  useCalendarKeys({ onToday, onView, onWrite: () => actions.write(day < today ? today : day), onUndo: undoLast })
  useScrollToDay(view === 'agenda' ? search.day : undefined, isPending)

  const grid = { day, month, today, now, days, style, entries, notes, isPending, onDay }
  const setFilter = (filter: PostFilter) => show({ ...filter, ...pickView(search) })
  const room = postId === undefined ? '' : roomBesidePanel[view === 'agenda' ? 'list' : 'grid']
  return (
    <CalendarActionsProvider value={actions}>
      <div className={`flex flex-col gap-4 ${room}`}>
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
        {postId !== undefined && (
          <PostPanel postId={postId} ids={idsInView(entries, { view, month })} onOpen={open} onClose={close} />
        )}
      </Suspense>
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
  open: (postId: string) => void
}

/** The value stays the same between renderings, so that chips are not rendered again. */
function useActions({ style, move, setDialog, open }: ActionParts): CalendarActions {
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
      open: ({ uploadId }) => {
        // The list of a day is a dialog, and the panel opens beside the page.
        setDialog(null)
        open(uploadId)
      },
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
    [workspaceId, style, mayWrite, connections, clockText, nameOf, navigate, move, setDialog, open],
  )
}

function pickView({ view, day, post }: CalendarSearch): CalendarSearch {
  return { ...(view !== undefined && { view }), ...(day !== undefined && { day }), ...(post !== undefined && { post }) }
}

/** The posts in the order in which the view shows them. The list shows one month, the grids show whole weeks. */
function idsInView(entries: readonly ShownEntry[], { view, month }: { view: View; month: string }): string[] {
  const shown = view === 'agenda' ? entries.filter(({ wall }) => wall.startsWith(month)) : entries
  return shown.toSorted((one, other) => one.wall.localeCompare(other.wall)).map(({ uploadId }) => uploadId)
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

/** The days that a view shows, and the posts on them. */
function useCalendar(search: CalendarSearch, view: View) {
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

type CalendarKeys = {
  onToday: () => void
  onView: (view: View) => void
  onWrite: () => void
  /** Takes the last move back. */
  onUndo: () => void
}

const views: Readonly<Record<string, View>> = { w: 'week', m: 'month', l: 'agenda' }
const secondKeyMs = 1500

/** T, W, M, L, N and Ctrl/⌘ Z anywhere on the page. After G, a letter belongs to the navigation. */
function useCalendarKeys({ onToday, onView, onWrite, onUndo }: CalendarKeys): void {
  const goPressedAtMs = useRef(0)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (isTyping(event.target)) return
      if ((event.ctrlKey || event.metaKey) && key === 'z') {
        event.preventDefault()
        return onUndo()
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const isAfterGo = performance.now() - goPressedAtMs.current < secondKeyMs
      goPressedAtMs.current = key === 'g' ? performance.now() : 0
      if (isAfterGo) return
      const view = views[key]
      if (view) onView(view)
      else if (key === 't') onToday()
      else if (key === 'n') onWrite()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [onToday, onView, onWrite, onUndo])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.closest('input, textarea, select, [role="menu"], [role="dialog"], [role="alertdialog"], [role="listbox"]') !== null
  )
}

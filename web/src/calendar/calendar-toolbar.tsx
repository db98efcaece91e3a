import { ChevronLeft, ChevronRight, StickyNote } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay, zoneCity } from '../time/format-time.ts'
import { addDays, addMonths } from '../time/zoned-day.ts'
import { Button } from '../ui/button.tsx'
import { iconButtonLook } from '../ui/icon-button-look.ts'
import { usePageHeading } from '../ui/use-page-heading.ts'
import { views, type View } from './calendar-search.ts'

type CalendarToolbarProps = {
  view: View
  day: string
  days: readonly string[]
  zone: string
  language: string
  isNarrow: boolean
  onDay: (day: string) => void
  onToday: () => void
  onView: (view: View) => void
  /** Writes a note for the day that is shown; null if the person may not. */
  onNote: (() => void) | null
  /** The filters: their button joins the row, their fields follow below it. */
  children: ReactNode
}

/** The heading, which days are shown, and how: one row above the grid, which has the rest of the window. */
export function CalendarToolbar(props: CalendarToolbarProps) {
  const { view, day, days, zone, language, isNarrow, onDay, onToday, onView, onNote, children } = props
  const { t } = useTranslation('calendar')
  const heading = usePageHeading(t('title'))
  const [first = day, last = day] = [days[0], days.at(-1)]
  const text =
    view === 'week'
      ? `${formatDay(first, 'shortDay', language)} – ${formatDay(last, 'dayOfYear', language)}`
      : formatDay(day, 'month', language)
  const step = (by: 1 | -1) => onDay(view === 'week' ? addDays(day, 7 * by) : addMonths(day, by))
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h1 ref={heading} tabIndex={-1} className="mr-3 font-serif text-2xl">
        {t('title')}
      </h1>
      <div className="flex min-w-0 items-center gap-2 max-md:order-2 max-md:w-full md:mr-auto">
        <div className="-ml-2.5 flex md:ml-0">
          <button
            type="button"
            aria-label={t(view === 'week' ? 'previousWeek' : 'previousMonth')}
            className={iconButtonLook}
            onClick={() => step(-1)}
          >
            <ChevronLeft aria-hidden />
          </button>
          <button
            type="button"
            aria-label={t(view === 'week' ? 'nextWeek' : 'nextMonth')}
            className={iconButtonLook}
            onClick={() => step(1)}
          >
            <ChevronRight aria-hidden />
          </button>
        </div>
        <div className="mr-1 min-w-0 leading-tight">
          <h2 aria-live="polite" className="figures text-lg leading-tight font-semibold">
            {text}
          </h2>
          <span className="block truncate text-xs text-quiet" title={zone}>
            {t('zone', { city: zoneCity(zone) })}
          </span>
        </div>
        <Button size="sm" onClick={onToday} className="max-md:ml-auto">
          {t('today')}
        </Button>
        {onNote && (
          <button type="button" aria-label={t('note')} title={t('note')} className={iconButtonLook} onClick={onNote}>
            <StickyNote aria-hidden />
          </button>
        )}
      </div>
      {children}
      {!isNarrow && (
        <div role="group" aria-label={t('view.label')} className="flex overflow-hidden rounded-control border border-edge">
          {views.map((each) => (
            <button key={each} type="button" aria-pressed={view === each} onClick={() => onView(each)} className={viewLook}>
              {t(`view.${each}`)}
            </button>
          ))}
        </div>
      )}
    </header>
  )
}

const viewLook = [
  'min-h-8 bg-surface px-3 text-sm text-quiet transition-colors hover:bg-hover hover:text-ink focus-visible:outline-offset-[-2px]',
  'not-first:border-l not-first:border-line aria-pressed:bg-bell-wash aria-pressed:font-medium aria-pressed:text-bell',
].join(' ')

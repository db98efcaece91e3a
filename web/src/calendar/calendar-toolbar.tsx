import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatDay, zoneCity } from '../time/format-time.ts'
import { addDays, addMonths } from '../time/zoned-day.ts'
import { Button } from '../ui/button.tsx'
import { iconButtonLook } from '../ui/icon-button-look.ts'
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
}

/** Which days are shown, and how. On a phone the zone stands below the month, so that all fits in one line. */
export function CalendarToolbar(props: CalendarToolbarProps) {
  const { view, day, days, zone, language, isNarrow, onDay, onToday, onView } = props
  const { t } = useTranslation('calendar')
  const [first = day, last = day] = [days[0], days.at(-1)]
  const text =
    view === 'week'
      ? `${formatDay(first, 'shortDay', language)} – ${formatDay(last, 'dayOfYear', language)}`
      : formatDay(day, 'month', language)
  const zoneText = t('zone', { city: zoneCity(zone) })
  const step = (by: 1 | -1) => onDay(view === 'week' ? addDays(day, 7 * by) : addMonths(day, by))
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
      <div className="-ml-2.5 flex">
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
      <div className="min-w-0 max-md:leading-tight">
        <h2 aria-live="polite" className="figures text-lg font-semibold max-md:leading-tight">
          {text}
        </h2>
        {isNarrow && <span className="text-xs text-quiet">{zoneText}</span>}
      </div>
      <Button size="sm" onClick={onToday} className="max-md:ml-auto">
        {t('today')}
      </Button>
      {!isNarrow && (
        <span className="ml-auto text-sm text-quiet" title={zone}>
          {zoneText}
        </span>
      )}
      {!isNarrow && (
        <div role="group" aria-label={t('view.label')} className="flex overflow-hidden rounded-control border border-edge">
          {views.map((each) => (
            <button key={each} type="button" aria-pressed={view === each} onClick={() => onView(each)} className={viewLook}>
              {t(`view.${each}`)}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

const viewLook = [
  'min-h-9 bg-surface px-3 text-sm text-quiet transition-colors hover:bg-hover hover:text-ink focus-visible:outline-offset-[-2px]',
  'not-first:border-l not-first:border-line aria-pressed:bg-bell-wash aria-pressed:font-medium aria-pressed:text-bell',
].join(' ')

import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay, formatTime } from '../time/format-time.ts'
import { addDays } from '../time/zoned-day.ts'
import { groupBySlot, isPast } from './shown-entry.ts'
import { ShownNotes } from './shown-notes.tsx'
import { SlotCell } from './slot-cell.tsx'
import { SlotGrid, type GridProps } from './slot-grid.tsx'

const chipsMax = 3
const none = [] as const
const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
const dayBegins = '08'

/** Seven days by the hours of the wall clock. On the days of a change of time, an hour is empty or holds the posts of two. */
export function WeekGrid(props: GridProps) {
  const { t } = useTranslation('calendar')
  const { days, today, now, day, style, entries, notes } = props
  const byHour = useMemo(() => groupBySlot(entries, 'hour'), [entries])
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-hour="${dayBegins}"]`)
    if (row && scroller.current) scroller.current.scrollTop = row.offsetTop - headHeight
  }, [])
  const hourText = (hour: string) => formatTime(`2000-01-01T${hour}:00:00Z`, 'time', { ...style, zone: 'UTC' })
  return (
    <div ref={scroller} className="relative max-h-[calc(100dvh-8.5rem)] min-h-96 overflow-y-auto rounded-card border border-line">
      <SlotGrid
        {...props}
        firstSlot={`${day}T${dayBegins}`}
        label={t('weekOf', { day: formatDay(days[0] ?? day, 'day', style.language) })}
        neighbour={(slot, { across, down }) => moveHour(slot, across, down)}
        className="grid-cols-[4rem_repeat(7,minmax(0,1fr))]"
      >
        {(activeSlot) => (
          <>
            <div role="row" className="contents">
              <div role="columnheader" className={`${headLook} text-faint`}>
                <span className="sr-only">{t('hour')}</span>
              </div>
              {days.map((each) => (
                <div
                  key={each}
                  role="columnheader"
                  className={`${headLook} ${each === today ? 'font-medium text-bell' : 'text-quiet'}`}
                >
                  {formatDay(each, 'weekday', style.language)} {formatDay(each, 'shortDay', style.language)}
                </div>
              ))}
            </div>
            {notes.size > 0 && (
              <div role="row" className="contents">
                <div role="rowheader" className={`${allDayLook} text-right text-xs text-quiet`}>
                  {t('notes')}
                </div>
                {days.map((each) => (
                  <div key={each} role="gridcell" className={allDayLook}>
                    <ShownNotes notes={notes} day={each} isInGrid />
                  </div>
                ))}
              </div>
            )}
            {hours.map((hour) => (
              <div key={hour} role="row" className="contents">
                <div
                  role="rowheader"
                  data-hour={hour}
                  className="figures border-r border-b border-line bg-surface px-2 py-1 text-right text-xs text-quiet"
                >
                  {hourText(hour)}
                </div>
                {days.map((each) => (
                  <SlotCell
                    key={each}
                    slot={`${each}T${hour}`}
                    label={`${formatDay(each, 'longDay', style.language)}, ${hourText(hour)}`}
                    entries={byHour.get(`${each}T${hour}`) ?? none}
                    chipsMax={chipsMax}
                    roomyMax={1}
                    isActive={`${each}T${hour}` === activeSlot}
                    isPast={isPast(`${each}T${hour}`, now)}
                    className={`min-h-12 ${isPast(`${each}T${hour}`, now) ? 'bg-canvas' : 'bg-surface'}`}
                  />
                ))}
              </div>
            ))}
          </>
        )}
      </SlotGrid>
    </div>
  )
}

const allDayLook = 'sticky top-9 z-10 flex min-w-0 flex-col gap-0.5 border-r border-b border-line bg-canvas p-1'
const headHeight = 36
const headLook = 'sticky top-0 z-20 h-9 truncate border-r border-b border-line bg-canvas px-2 py-1.5 text-sm'

function moveHour(slot: string, across: number, down: number): string {
  const hour = Math.min(23, Math.max(0, Number(slot.slice(11)) + down))
  return `${addDays(slot.slice(0, 10), across)}T${String(hour).padStart(2, '0')}`
}

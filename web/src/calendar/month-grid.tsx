import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../time/format-time.ts'
import { addDays } from '../time/zoned-day.ts'
import { groupBySlot, isPast } from './shown-entry.ts'
import { ShownNotes } from './shown-notes.tsx'
import { SlotCell } from './slot-cell.tsx'
import { SlotGrid, type GridProps } from './slot-grid.tsx'

const chipsMax = 4
const none = [] as const

/** Whole weeks, four posts a day. */
export function MonthGrid(props: GridProps) {
  const { t } = useTranslation('calendar')
  const { days, month, today, now, day, style, entries, notes } = props
  const byDay = useMemo(() => groupBySlot(entries, 'day'), [entries])
  const weeks = Array.from({ length: days.length / 7 }, (_, at) => days.slice(at * 7, at * 7 + 7))
  return (
    <SlotGrid
      {...props}
      firstSlot={day}
      label={formatDay(day, 'month', style.language)}
      neighbour={(slot, { across, down }) => addDays(slot, across + down * 7)}
      className="grid-cols-7 overflow-clip rounded-card border border-line"
    >
      {(activeSlot) => (
        <>
          <div role="row" className="contents">
            {days.slice(0, 7).map((each) => (
              <div key={each} role="columnheader" className="border-r border-b border-line px-2 py-1.5 text-sm text-quiet">
                {formatDay(each, 'weekday', style.language)}
              </div>
            ))}
          </div>
          {weeks.map((week) => (
            <div key={week[0]} role="row" className="contents">
              {week.map((each) => (
                <SlotCell
                  key={each}
                  slot={each}
                  label={`${formatDay(each, 'longDay', style.language)}${each === today ? `, ${t('today')}` : ''}`}
                  entries={byDay.get(each) ?? none}
                  chipsMax={chipsMax}
                  roomyMax={2}
                  isActive={each === activeSlot}
                  isPast={isPast(each, now)}
                  className={`${rowLook} ${dayLook(each, { month, today })}`}
                >
                  <DayNumber
                    day={each}
                    isToday={each === today}
                    isFaint={!each.startsWith(month) || each < today}
                    language={style.language}
                  />
                  <ShownNotes notes={notes} day={each} isInGrid />
                </SlotCell>
              ))}
            </div>
          ))}
        </>
      )}
    </SlotGrid>
  )
}

/** Six weeks are in sight in a usual window, as far as their posts allow. */
const rowLook = 'min-h-[clamp(6.25rem,calc((100dvh-9rem)/6),9rem)]'

/** What is over and what belongs to another month steps back, each in its own way. */
function dayLook(day: string, { month, today }: { month: string; today: string }): string {
  return !day.startsWith(month) ? 'bg-sunken' : day < today ? 'bg-canvas' : 'bg-surface'
}

type DayNumberProps = { day: string; isToday: boolean; isFaint: boolean; language: string }

function DayNumber({ day, isToday, isFaint, language }: DayNumberProps) {
  // The first of a month says which month it is.
  const text = day.endsWith('-01') ? formatDay(day, 'shortDay', language) : String(Number(day.slice(8)))
  const look = isToday ? 'bell-shape justify-center bg-bell font-medium text-on-bell' : isFaint ? 'text-faint' : 'text-quiet'
  return (
    <span aria-hidden="true" className={`figures flex min-h-6 min-w-6 items-center self-start px-1 text-sm ${look}`}>
      {text}
    </span>
  )
}

import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { contentCalendar } from '../api/queries.gen.ts'
import { dotLook } from '../posts/shown-status.ts'
import { formatDay } from '../time/format-time.ts'
import { addDays, addMonths, dayIn, monthDays, spanOfDays, todayIn, weekDays } from '../time/zoned-day.ts'
import { Button } from '../ui/button.tsx'
import { iconButtonLook } from '../ui/icon-button-look.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

export type DayRange = { from?: string | undefined; to?: string | undefined }

type DayGridProps = {
  /** The chosen day; empty if there is none. */
  value: string
  zone: string
  /** See DayField. */
  past?: DayRange | undefined
  onChoose: (day: string) => void
  /** The day that the Tab key reaches. */
  activeCell: RefObject<HTMLButtonElement | null>
}

const dotsMax = 3

/** A month to choose a day from, with dots for the posts that are there already. Its keys are those of the ARIA date picker dialog. */
export function DayGrid({ value, zone, past, onChoose, activeCell }: DayGridProps) {
  const { t } = useTranslation('schedule')
  const { language, weekStart } = useTimeStyle()
  const today = todayIn(zone)
  const [active, setActive] = useState(value === '' ? today : value)
  const isMovedByKey = useRef(false)
  const month = active.slice(0, 7)
  const days = useMemo(() => monthDays(month, weekStart), [month, weekStart])
  const byDay = usePostsByDay(zone, days, past === undefined)
  const { from = '', to = '9999' } = past ?? { from: today }
  // The day may be of another month, whose cells are there only now.
  useEffect(() => {
    if (isMovedByKey.current) activeCell.current?.focus()
    isMovedByKey.current = false
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const next = dayAfterKey(event, active, weekStart)
    if (next === null) return
    event.preventDefault()
    isMovedByKey.current = true
    setActive(next)
  }
  const weeks = Array.from({ length: days.length / 7 }, (_, at) => days.slice(at * 7, at * 7 + 7))
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between">
        <button
          type="button"
          aria-label={t('day.previous')}
          className={iconButtonLook}
          onClick={() => setActive(addMonths(active, -1))}
        >
          <ChevronLeft aria-hidden />
        </button>
        <p aria-live="polite" className="figures font-semibold">
          {formatDay(active, 'month', language)}
        </p>
        <button
          type="button"
          aria-label={t('day.next')}
          className={iconButtonLook}
          onClick={() => setActive(addMonths(active, 1))}
        >
          <ChevronRight aria-hidden />
        </button>
      </div>
      {/* A cell holds a button: the keys of the grid move the focus from one to the next. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table with this role is what ARIA describes */}
      <table role="grid" aria-label={formatDay(active, 'month', language)} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th key={day} scope="col" className="pb-1 text-center text-xs font-normal text-quiet">
                {formatDay(day, 'weekday', language)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => {
                const posts = byDay.get(day) ?? []
                const isOutside = day < from || day > to
                const label = formatDay(day, 'longDay', language)
                return (
                  <td key={day} aria-selected={day === value} className="p-0 pb-0.5">
                    <button
                      ref={day === active ? activeCell : null}
                      type="button"
                      tabIndex={day === active ? 0 : -1}
                      aria-pressed={day === value}
                      aria-current={day === today ? 'date' : undefined}
                      aria-disabled={isOutside || undefined}
                      aria-label={past ? label : `${label}, ${t('day.posts', { count: posts.length })}`}
                      onClick={() => (isOutside ? setActive(day) : onChoose(day))}
                      className={`${cellLook} ${isOutside ? outsideLook : day.startsWith(month) ? '' : 'text-quiet'}`}
                    >
                      <span className={day === today ? 'underline decoration-2 underline-offset-4' : ''}>
                        {Number(day.slice(8))}
                      </span>
                      <span className="flex h-1 gap-0.5">
                        {posts.slice(0, dotsMax).map((post) => (
                          <span key={post.uploadId} className={`size-1 rounded-full ${dotLook(post)}`} />
                        ))}
                      </span>
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="flex justify-between">
        <Button size="sm" variant="quiet" onClick={() => onChoose(today)}>
          {t('day.today')}
        </Button>
        {past && value !== '' && (
          <Button size="sm" variant="quiet" onClick={() => onChoose('')}>
            {t('day.clear')}
          </Button>
        )}
      </div>
    </div>
  )
}

const cellLook = [
  'figures flex size-10 flex-col items-center justify-center gap-0.5 rounded-control text-sm transition-colors',
  'hover:bg-hover aria-pressed:bg-bell-wash aria-pressed:font-semibold aria-pressed:text-bell focus-visible:outline-offset-[-2px]',
].join(' ')

/** It cannot be chosen. It can still be looked at. */
const outsideLook = 'cursor-default text-faint'

/** The posts on these days. The calendar asks the same question, so that the answer is often there already. */
function usePostsByDay(zone: string, days: readonly string[], isWanted: boolean) {
  const { id: workspaceId } = useWorkspace()
  const { data } = useQuery({ ...contentCalendar(workspaceId, spanOfDays(zone, days)), enabled: isWanted })
  return useMemo(() => Map.groupBy(data?.entries ?? [], ({ at }) => dayIn(zone, at)), [data, zone])
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

function dayAfterKey({ key, shiftKey }: KeyboardEvent, day: string, weekStart: number): string | null {
  const step = steps[key]
  if (step !== undefined) return addDays(day, step)
  if (key === 'Home') return weekDays(day, weekStart)[0] ?? null
  if (key === 'End') return weekDays(day, weekStart)[6] ?? null
  if (key === 'PageUp' || key === 'PageDown') return addMonths(day, (key === 'PageUp' ? -1 : 1) * (shiftKey ? 12 : 1))
  return null
}

import { CalendarPlus, History } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { formatDay } from '../time/format-time.ts'
import { useCalendarActions } from './calendar-actions.ts'
import { ShownNotes } from './shown-notes.tsx'
import { EntryRow } from './entry-row.tsx'
import { groupBySlot, splitAtToday, type ShownEntry } from './shown-entry.ts'
import type { GridProps } from './slot-grid.tsx'

/** The posts of a month below each other, day after day. The current month starts at today; a button shows the days before. */
export function Agenda({ month, day, today, style, entries, notes, isPending, isFiltered }: GridProps & { isFiltered: boolean }) {
  const { t } = useTranslation('calendar')
  const { write } = useCalendarActions()
  const [showsEarlier, setShowsEarlier] = useState(false)
  const byDay = useMemo(() => {
    const posts = groupBySlot(entries, 'day')
    const days = [...new Set([...posts.keys(), ...notes.keys()])].filter((each) => each.startsWith(month)).toSorted()
    return days.map((each): Day => [each, posts.get(each) ?? []])
  }, [entries, notes, month])
  if (isPending) return <SkeletonLines label={t('loading')} count={8} />
  if (byDay.length === 0)
    return (
      <EmptyState
        icon={<CalendarPlus aria-hidden />}
        title={t(isFiltered ? 'empty.filtered' : 'empty.title', { month: formatDay(day, 'month', style.language) })}
        actions={
          isFiltered ? undefined : (
            <Button variant="primary" onClick={() => write(day < today ? today : day)}>
              {t('write')}
            </Button>
          )
        }
      >
        {t(isFiltered ? 'empty.filteredText' : 'empty.text')}
      </EmptyState>
    )
  // A list that starts with past days hides what comes next. A chosen day in the past is shown with its neighbours.
  const isFolded = month === today.slice(0, 7) && day >= today
  const { earlier, ahead } = isFolded ? splitAtToday(byDay, today) : { earlier: [], ahead: byDay }
  return (
    <div className="flex flex-col gap-6">
      {earlier.length > 0 && (
        <>
          <Button
            size="sm"
            className="self-start"
            icon={<History aria-hidden />}
            aria-expanded={showsEarlier}
            onClick={() => setShowsEarlier(!showsEarlier)}
          >
            {t(showsEarlier ? 'earlier.hide' : 'earlier.show', { count: sumOf(earlier) })}
          </Button>
          {showsEarlier && <AgendaDays days={earlier} notes={notes} today={today} language={style.language} />}
          {ahead.length === 0 && <p className="text-quiet">{t('earlier.nothingAhead')}</p>}
        </>
      )}
      <AgendaDays days={ahead} notes={notes} today={today} language={style.language} />
    </div>
  )
}

type Day = readonly [day: string, posts: readonly ShownEntry[]]

type AgendaDaysProps = { days: readonly Day[]; notes: GridProps['notes']; today: string; language: string }

function AgendaDays({ days, notes, today, language }: AgendaDaysProps) {
  const { t } = useTranslation('calendar')
  return days.map(([day, posts]) => (
    <section
      key={day}
      data-agenda-day={day}
      className={dayLook}
      style={{ containIntrinsicHeight: `auto ${guessHeight(posts.length)}rem` }}
    >
      <h2 className="mb-1 flex items-baseline gap-2 text-base font-semibold">
        {formatDay(day, 'longDay', language)}
        {day === today && <span className="text-sm font-medium text-bell">{t('today')}</span>}
        <span className="figures text-sm font-normal text-quiet">{t('posts', { count: posts.length })}</span>
      </h2>
      <div className="mb-1.5 flex flex-col gap-1 empty:hidden">
        <ShownNotes notes={notes} day={day} />
      </div>
      {posts.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
          {posts.map((entry) => (
            <EntryRow key={entry.uploadId} entry={entry} />
          ))}
        </ul>
      )}
    </section>
  ))
}

function sumOf(days: readonly Day[]): number {
  return days.reduce((sum, [, posts]) => sum + posts.length, 0)
}

/** Days outside of the window are not laid out: a month may have a thousand rows. */
const dayLook = 'scroll-mt-4 [content-visibility:auto]'

/** The height of a day that was not laid out yet, in rem: a heading, then rows. Without it the scroll bar would grow on the way. */
function guessHeight(posts: number): number {
  return 2 + 4 * posts
}

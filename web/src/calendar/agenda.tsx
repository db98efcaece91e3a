import { CalendarPlus } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { formatDay } from '../time/format-time.ts'
import { useCalendarActions } from './calendar-actions.ts'
import { EntryRow } from './entry-row.tsx'
import { groupBySlot } from './shown-entry.ts'
import type { GridProps } from './slot-grid.tsx'

/** The posts of a month below each other, day after day. */
export function Agenda({ month, day, today, style, entries, isPending, isFiltered }: GridProps & { isFiltered: boolean }) {
  const { t } = useTranslation('calendar')
  const { write } = useCalendarActions()
  const byDay = useMemo(() => [...groupBySlot(entries, 'day')].filter(([each]) => each.startsWith(month)), [entries, month])
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
  return (
    <div className="flex flex-col gap-6">
      {byDay.map(([each, posts]) => (
        <section key={each} data-agenda-day={each} className={dayLook}>
          <h2 className="mb-1 flex items-baseline gap-2 text-base font-semibold">
            {formatDay(each, 'longDay', style.language)}
            {each === today && <span className="text-sm font-medium text-bell">{t('today')}</span>}
            <span className="figures text-sm font-normal text-quiet">{t('posts', { count: posts.length })}</span>
          </h2>
          <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
            {posts.map((entry) => (
              <EntryRow key={entry.uploadId} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Days outside of the window are not laid out: a month may have a thousand rows. */
const dayLook = 'scroll-mt-4 [contain-intrinsic-size:auto_16rem] [content-visibility:auto]'

import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../time/format-time.ts'
import { dotLook } from '../posts/shown-status.ts'
import { groupBySlot } from './shown-entry.ts'
import type { GridProps } from './slot-grid.tsx'

const dotsMax = 3

/** The month on a phone: days as buttons with dots for their posts. A tap goes to the day in the list below. */
export function MonthStrip({ days, month, day, today, style, entries, onDay }: GridProps) {
  const { t } = useTranslation('calendar')
  const byDay = useMemo(() => groupBySlot(entries, 'day'), [entries])
  return (
    <div className="grid grid-cols-7 rounded-card border border-line bg-surface p-1">
      {days.slice(0, 7).map((each) => (
        <span key={each} aria-hidden="true" className="py-1 text-center text-xs text-faint">
          {formatDay(each, 'weekday', style.language)}
        </span>
      ))}
      {days.map((each) => {
        const posts = byDay.get(each) ?? []
        const look = [
          each === day ? 'bg-bell-wash font-medium text-bell' : each.startsWith(month) ? 'text-ink' : 'text-faint',
          each === today ? 'underline decoration-2 underline-offset-4' : '',
        ].join(' ')
        return (
          <button
            key={each}
            type="button"
            aria-pressed={each === day}
            aria-label={`${formatDay(each, 'longDay', style.language)}, ${t('posts', { count: posts.length })}`}
            onClick={() => onDay(each)}
            className={`flex min-h-11 flex-col items-center justify-center gap-0.5 rounded-control text-sm ${look}`}
          >
            <span className="figures">{Number(each.slice(8))}</span>
            <span className="flex h-1.5 gap-0.5">
              {posts.slice(0, dotsMax).map((post) => (
                <span key={post.uploadId} className={`size-1.5 rounded-full ${dotLook(post)}`} />
              ))}
            </span>
          </button>
        )
      })}
    </div>
  )
}

import type { BestTimes, HourFigures } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { analyticsBestTimes } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { formatNumber } from '../time/format-number.ts'
import { zoneCity } from '../time/format-time.ts'
import { Button } from '../ui/button.tsx'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { useHourWords } from './use-hour-words.ts'
import { WeekMap } from './week-map.tsx'

const SlotsDialog = lazy(async () => ({ default: (await import('./slots-dialog.tsx')).SlotsDialog }))

/** At which hours of the week the posts of the workspace did well, and how certain that is. It does not depend on the chosen range. */
export function BestTimesSection() {
  const { t } = useTranslation('analytics')
  const { id: workspaceId } = useWorkspace()
  const { data, error, refetch } = useQuery(analyticsBestTimes(workspaceId))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data || data.posts + data.leftOut === 0) return null
  return (
    <section aria-labelledby="best-times" className="flex flex-col gap-5 rounded-card border border-line bg-surface p-4 sm:p-5">
      <div className="flex flex-col gap-1">
        <h2 id="best-times" className="font-serif text-xl">
          {t('best.title')}
        </h2>
        <p className="max-w-[85ch] text-quiet">{t('best.intro', { zone: zoneCity(data.timezone) })}</p>
      </div>
      {data.isEnough ? <Week found={data} /> : <NotEnough found={data} />}
      {data.leftOut > 0 && <p className="text-sm text-quiet">{t('best.leftOut', { count: data.leftOut })}</p>}
    </section>
  )
}

function Week({ found }: { found: BestTimes }) {
  const { t } = useTranslation('analytics')
  const mayFillQueue = useMay('admin')
  const [isOpen, setIsOpen] = useState(false)
  const { best, hours } = found
  return (
    <div className="grid gap-6 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-10">
      <div className="flex flex-col gap-4">
        {best.length === 0 ? <p className="text-quiet">{t('best.none')}</p> : <BestList best={best} />}
        {mayFillQueue && best.length > 0 && (
          <Button className="self-start" icon={<CalendarPlus aria-hidden />} onClick={() => setIsOpen(true)}>
            {t('best.use')}
          </Button>
        )}
      </div>
      <WeekMap hours={hours} best={best} />
      {isOpen && (
        <Suspense>
          <SlotsDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

function BestList({ best }: { best: readonly HourFigures[] }) {
  const { t } = useTranslation('analytics')
  const words = useHourWords()
  return (
    <ol aria-label={t('best.title')} className="flex flex-col">
      {best.map((hour) => (
        <li key={`${hour.day} ${hour.hour}`} className="border-b border-line py-2.5 first:pt-0 last:border-b-0 last:pb-0">
          <span className="figures block font-medium">{words.nameOf(hour)}</span>
          <span className="figures block text-sm text-quiet">{words.describe(hour)}</span>
        </li>
      ))}
    </ol>
  )
}

function NotEnough({ found: { posts, postsNeeded } }: { found: BestTimes }) {
  const { t, i18n } = useTranslation('analytics')
  const number = (value: number) => formatNumber(value, i18n.language)
  const label = t('best.notEnough', { posts: number(posts), needed: number(postsNeeded) })
  return (
    <div className="flex max-w-prose flex-col gap-2">
      <p className="font-medium">{label}</p>
      <progress aria-label={label} value={posts} max={postsNeeded} className="h-1.5 w-full max-w-xs" />
      <p className="text-sm text-quiet">{t('best.notEnoughText')}</p>
    </div>
  )
}

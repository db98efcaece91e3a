import type { ConnectionFollowers } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { analyticsFollowers } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { localeOf } from '../i18n/language.ts'
import { formatNumber } from '../time/format-number.ts'
import { formatTime } from '../time/format-time.ts'
import { lastDays } from '../time/last-days.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Cell, HeadCell, Table } from '../ui/table.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

const FigureChart = lazy(async () => ({ default: (await import('./figure-chart.tsx')).FigureChart }))

/** So many days may be asked for at once. */
const daysMax = 400
/** So many accounts have a chart at first. */
const shownMax = 6

type FollowersProps = { range: { from: string; to: string }; nameOf: (platform: string) => string }

/** How many followers each account had. */
export function Followers({ range: { from, to }, nameOf }: FollowersProps) {
  const { t, i18n } = useTranslation('analytics')
  const { id: workspaceId } = useWorkspace()
  const isTooLong = (Date.parse(to) - Date.parse(from)) / 86_400_000 >= daysMax
  const { data, error, refetch } = useQuery({ ...analyticsFollowers(workspaceId, { from, to }), enabled: !isTooLong })
  const [isWhole, setIsWhole] = useState(false)
  const accounts = (data ?? []).filter(({ reported }) => reported)
  const counted = accounts.filter(({ last }) => last !== null)
  const waiting = accounts.filter(({ last }) => last === null)
  const silent = (data ?? []).filter(({ reported }) => !reported)
  const isBeginning = accounts.length > 0 && counted.length === 0 && to >= lastDays(1).to
  const shown = isWhole ? counted : counted.slice(0, shownMax)
  const list = new Intl.ListFormat(i18n.language)
  const names = (some: readonly ConnectionFollowers[]) =>
    list.format(some.map(({ targetName, platform }) => `${targetName} (${nameOf(platform)})`))
  if (data?.length === 0) return null
  return (
    <section aria-labelledby="followers" className="flex flex-col gap-3">
      <h2 id="followers" className="font-serif text-xl">
        {t('followers.title')}
      </h2>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isTooLong && <p className="text-quiet">{t('followers.tooLong', { max: daysMax })}</p>}
      {!isTooLong && !data && !error && <Skeleton className="h-64" />}
      {isBeginning && <p className="max-w-prose text-quiet">{t('followers.begins')}</p>}
      <div className="grid gap-4 lg:grid-cols-2">
        {shown.map((account) => (
          <FollowerCard key={account.connectionId} account={account} platform={nameOf(account.platform)} />
        ))}
      </div>
      {shown.length < counted.length && (
        <Button className="self-start" onClick={() => setIsWhole(true)}>
          {t('followers.all', { total: formatNumber(counted.length, i18n.language) })}
        </Button>
      )}
      {!isBeginning && waiting.length > 0 && (
        <p className="max-w-prose text-sm text-quiet">{t('followers.none', { names: names(waiting) })}</p>
      )}
      {silent.length > 0 && <p className="max-w-prose text-sm text-quiet">{t('followers.notTold', { names: names(silent) })}</p>}
    </section>
  )
}

function FollowerCard({ account, platform }: { account: ConnectionFollowers; platform: string }) {
  const { t, i18n } = useTranslation('analytics')
  const { connectionId, targetName, days, last, change } = account
  const number = (value: number | null) => (value === null ? '–' : formatNumber(value, i18n.language))
  const nameDay = (date: string) => formatTime(`${date}T00:00:00Z`, 'date', { zone: 'UTC', language: localeOf(i18n.language) })
  const label = t('followers.of', { name: targetName })
  return (
    <article
      aria-labelledby={`followers-${connectionId}`}
      className="flex min-w-0 flex-col gap-3 rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id={`followers-${connectionId}`} className="font-medium wrap-anywhere">
          {targetName} <span className="block text-sm font-normal text-quiet">{platform}</span>
        </h3>
        <p className="figures text-right">
          <span className="block text-xl">{number(last)}</span>
          <span className="block text-sm text-quiet">
            {change === null
              ? t('followers.oneDay')
              : t('followers.change', { change: formatNumber(change, i18n.language, 'difference') })}
          </span>
        </p>
      </div>
      <Suspense fallback={<Skeleton className="h-64" />}>
        <FigureChart
          points={days.map(({ date, followers }) => ({ date, value: followers }))}
          shape="line"
          label={label}
          nameDay={nameDay}
        />
      </Suspense>
      <details>
        <summary className="w-fit cursor-pointer py-1 text-sm text-quiet hover:text-ink">{t('followers.table')}</summary>
        <div className="mt-2">
          <Table label={label}>
            <thead>
              <tr>
                <HeadCell>{t('followers.day')}</HeadCell>
                <HeadCell className="text-right">{t('followers.title')}</HeadCell>
              </tr>
            </thead>
            <tbody>
              {days.map(({ date, followers }) => (
                <tr key={date}>
                  <Cell>{nameDay(date)}</Cell>
                  <Cell className="figures text-right">{number(followers)}</Cell>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      </details>
    </article>
  )
}

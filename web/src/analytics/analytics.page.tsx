import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChartNoAxesColumn, Download, RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../actions/save-file.ts'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { analyticsOverview } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { LabelChip } from '../labels/label-chips.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { formatNumber } from '../time/format-number.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Select } from '../ui/form/select.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Cell, HeadCell, Table } from '../ui/table.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { type AnalyticsSearch, groupings, metrics, readSearch } from './analytics-search.ts'
import { BestTimesSection } from './best-times.tsx'
import { EngagementNote } from './engagement-note.tsx'
import { FigureCards } from './figure-cards.tsx'
import { GroupTable } from './group-table.tsx'
import { RangeChoice, RangeText } from './range-choice.tsx'
import { TimeGroup } from './time-group.tsx'
import { TopPosts } from './top-posts.tsx'
import { useFigures } from './use-figures.ts'

export function AnalyticsPage() {
  const { t } = useTranslation('analytics')
  const { id: workspaceId } = useWorkspace()
  const chosen = readSearch(useSearch({ from: '/w/$workspaceId/analytics' }))
  const { by, metric, label } = chosen
  const { t: tLabels } = useTranslation('labels')
  const { labels } = useLabels()
  const navigate = useNavigate({ from: '/w/$workspaceId/analytics' })
  const change = (part: AnalyticsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const { overview, range, isRange, nameOf, reports, partsOf } = useFigures(workspaceId, chosen)
  const { data, error, refetch } = overview
  const groups = data?.groups ?? []
  const platforms = [...new Set(groups.map(({ platform }) => platform))]
  const silent = platforms.filter((platform) => !reports(platform, metric))
  const note = silent.length > 0 ? t('notTold', { names: silent.map(nameOf).join(', ') }) : undefined
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={t('title')} description={t('intro')} actions={<AnalyticsActions range={range} />} />
      <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
        <RangeChoice chosen={chosen} onChange={change} />
        <Select
          label={t('by.label')}
          value={by}
          onChange={(next) => change({ by: next })}
          options={groupings.map((value) => ({ value, label: t(nameOfGrouping[value]) }))}
          className="sm:w-48!"
        />
        {labels.length > 0 && (
          <Select
            label={tLabels('filter')}
            value={label ?? 'any'}
            onChange={(next) => change({ label: next })}
            options={[{ value: 'any', label: tLabels('any') }, ...labels.map(({ id, name }) => ({ value: id, label: name }))]}
            className="sm:w-48!"
          />
        )}
      </div>
      {isRange && data?.previousRange && <RangeText range={range} before={data.previousRange} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isRange && overview.isPending && <FiguresSkeleton label={t('loading')} />}
      {isRange && data && groups.length === 0 && <NoFigures />}
      {isRange && data && groups.length > 0 && (
        <>
          <FigureCards summary={data.summary} previous={data.previous} groups={groups} nameOf={nameOf} reports={reports} />
          <TimeGroup snapshots={data.snapshots} metric={metric} note={note} onMetric={(next) => change({ metric: next })} />
          <section aria-labelledby="groups" className="flex flex-col gap-3">
            <h2 id="groups" className="font-serif text-xl">
              {t(nameOfGrouping[by])}
            </h2>
            {by === 'label' ? <LabelTable range={range} /> : <GroupTable groups={groups} nameOf={nameOf} reports={reports} />}
            <EngagementNote platforms={platforms} nameOf={nameOf} partsOf={partsOf} />
          </section>
          <TopPosts range={range} metric={metric} nameOf={nameOf} />
        </>
      )}
      <BestTimesSection />
    </div>
  )
}

const nameOfGrouping = { platform: 'by.platform', connection: 'by.connection', label: 'by.byLabel' } as const

function NoFigures() {
  const { t } = useTranslation('analytics')
  const { id: workspaceId } = useWorkspace()
  return (
    <EmptyState
      icon={<ChartNoAxesColumn aria-hidden />}
      title={t('empty.title')}
      actions={
        <Link to="/w/$workspaceId/compose" params={{ workspaceId }} className={buttonLook({ variant: 'primary' })}>
          {t('empty.write')}
        </Link>
      }
    >
      {t('empty.text')}
    </EmptyState>
  )
}

function FiguresSkeleton({ label }: { label: string }) {
  return (
    <output className="flex flex-col gap-6">
      <span className="sr-only">{label}</span>
      <span className="grid grid-cols-2 gap-4 md:grid-cols-4 xl:grid-cols-7">
        {Array.from({ length: 7 }, (_, at) => (
          <Skeleton key={at} className="h-16" />
        ))}
      </span>
      <Skeleton className="h-72" />
    </output>
  )
}

/** Fetching new figures from the platforms, and taking all of them away as a file. */
function AnalyticsActions({ range }: { range: { from: string; to: string; label?: string } }) {
  const { t } = useTranslation('analytics')
  const { id: workspaceId, role } = useWorkspace()
  const { mutate: sync, isPending: isSyncing } = useChange({
    run: () => carillon.analytics.sync({ workspaceId }),
    affects: () => [
      ['analytics.overview', workspaceId],
      ['analytics.posts', workspaceId],
    ],
    done: (_input, { enqueued }) => ({ title: enqueued === 0 ? t('sync.nothing') : t('sync.started', { count: enqueued }) }),
  })
  const { mutate: exportCsv, isPending: isExporting } = useChange({
    run: () => carillon.analytics.export(range, { workspaceId }),
    affects: () => [],
    onDone: (csv) => saveFile(`carillon-${range.from}-${range.to}.csv`, csv),
  })
  return (
    <>
      <Button icon={<Download aria-hidden />} isBusy={isExporting} onClick={() => exportCsv(undefined)}>
        {t('export')}
      </Button>
      {role !== 'viewer' && (
        <Button icon={<RefreshCw aria-hidden />} isBusy={isSyncing} onClick={() => sync(undefined)}>
          {t('sync.button')}
        </Button>
      )}
    </>
  )
}

/** The figures of the posts with each label. */
function LabelTable({ range }: { range: { from: string; to: string; label?: string } }) {
  const { t, i18n } = useTranslation('analytics')
  const { id: workspaceId } = useWorkspace()
  const { labels } = useLabels()
  const { data } = useQuery(analyticsOverview(workspaceId, { ...range, granularity: 'month', by: 'label' }))
  const number = (value: number) => formatNumber(value, i18n.language)
  const shown = (data?.labels ?? []).flatMap((figures) => {
    const label = labels.find(({ id }) => id === figures.labelId)
    return label ? [{ label, figures }] : []
  })
  if (!data) return null
  if (shown.length === 0) return <p className="text-quiet">{t('byLabel.none')}</p>
  return (
    <>
      <Table label={t('groups.title')}>
        <thead>
          <tr>
            <HeadCell>{t('groups.name')}</HeadCell>
            <HeadCell className="text-right">{t('figures.published')}</HeadCell>
            {metrics.map((metric) => (
              <HeadCell key={metric} className="text-right">
                {t(`metrics.${metric}`)}
              </HeadCell>
            ))}
            <HeadCell className="text-right">{t('engagement.title')}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ label, figures }) => (
            <tr key={label.id}>
              <th scope="row" className="border-b border-line px-4 py-2.5 [tr:last-child>&]:border-b-0">
                <span className="flex max-w-56">
                  <LabelChip label={label} />
                </span>
              </th>
              <Cell className="figures text-right">{number(figures.published - figures.failed)}</Cell>
              {metrics.map((metric) => (
                <Cell key={metric} className="figures text-right whitespace-nowrap">
                  {number(figures[metric])}
                </Cell>
              ))}
              <Cell className="figures text-right whitespace-nowrap">
                {figures.engagementRate === null ? '–' : formatNumber(figures.engagementRate / 100, i18n.language, 'rate')}
              </Cell>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="text-sm text-quiet">{t('byLabel.note')}</p>
    </>
  )
}

import type { Occurrence, Series } from '@carillon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { PenLine, Repeat } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { seriesList } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { formatTime } from '../time/format-time.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Notice } from '../ui/notice.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { EditSeriesDialog } from './edit-series-dialog.tsx'
import { useRuleWords } from './use-rule-words.ts'

/** The recurring posts of the workspace: their rule, what comes next, and what became of the dates before. */
export function SeriesPage() {
  const { t } = useTranslation('series')
  const { id: workspaceId } = useWorkspace()
  const { show } = useSearch({ from: '/w/$workspaceId/series' })
  const mayWrite = useMay('editor')
  const { data, error, refetch, dataUpdatedAt } = useQuery(seriesList(workspaceId))
  const write = mayWrite && (
    <Link to="/w/$workspaceId/compose" params={{ workspaceId }} className={buttonLook({})}>
      <PenLine aria-hidden />
      {t('page.write')}
    </Link>
  )
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <PageHeader title={t('page.title')} description={t('page.text')} actions={data && data.length > 0 ? write : undefined} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines label={t('page.loading')} count={5} />}
      {data?.length === 0 && (
        <EmptyState icon={<Repeat aria-hidden />} title={t('page.empty')} actions={write}>
          {t('page.emptyText')}
        </EmptyState>
      )}
      {data?.map((series) => (
        <SeriesCard key={series.id} series={series} isShown={series.id === show} nowMs={dataUpdatedAt} />
      ))}
    </div>
  )
}

const stateTones: Readonly<Record<Series['state'], Tone>> = { active: 'verdigris', paused: 'straw', ended: 'neutral' }

/** `nowMs` is when the list was loaded. */
function SeriesCard({ series, isShown, nowMs }: { series: Series; isShown: boolean; nowMs: number }) {
  const { t } = useTranslation('series')
  const style = useTimeStyle()
  const words = useRuleWords()
  const { state, approval, next, name, timezone, content, variants } = series
  const refused = series.occurrences.filter((each) => each.state === 'refused').at(-1)
  const excerpt = (variants[0]?.text ?? content.text ?? '').slice(0, 140)
  return (
    <section aria-label={name} data-series={series.id} className={isShown ? 'rounded-card outline-2 outline-bell' : ''}>
      <Card className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 className="font-serif text-xl break-words">{name}</h2>
            <p className="text-quiet">{words(series)}</p>
          </div>
          <div className="flex flex-wrap gap-2">
            {approval === 'pending' ? (
              <Badge tone="plum">{t('state.pending')}</Badge>
            ) : (
              <Badge tone={stateTones[state]}>{t(`state.${state}`)}</Badge>
            )}
          </div>
        </div>
        {excerpt !== '' && <p className="line-clamp-2 break-words">{excerpt}</p>}
        {variants.length > 1 && <p className="text-sm text-quiet">{t('variants', { count: variants.length })}</p>}
        {next !== null && approval !== 'pending' && (
          <p>
            {t('next')}{' '}
            <time dateTime={next} className="figures font-medium">
              {formatTime(next, 'dayAndTime', { ...style, zone: timezone })}
            </time>
          </p>
        )}
        {refused?.error && (
          <Notice
            kind="warning"
            title={t('refused.title', { day: formatTime(refused.at, 'dayAndTime', { ...style, zone: timezone }) })}
          >
            {refused.error.message} {Date.parse(refused.at) > nowMs && t('refused.again')}
          </Notice>
        )}
        <Dates series={series} nowMs={nowMs} />
        <SeriesActions series={series} />
      </Card>
    </section>
  )
}

const dateTones: Readonly<Record<Occurrence['state'], Tone>> = {
  scheduled: 'neutral',
  made: 'dusk',
  skipped: 'neutral',
  refused: 'rust',
  missed: 'straw',
  removed: 'neutral',
}

function Dates({ series, nowMs }: { series: Series; nowMs: number }) {
  const { t } = useTranslation('series')
  const { id: workspaceId } = useWorkspace()
  const style = useTimeStyle()
  const mayWrite = useMay('editor')
  const {
    mutate: skip,
    isPending,
    variables,
  } = useChange({
    run: (date: string) => carillon.series.skip(series.id, { date }, { workspaceId }),
    affects: () => affected(workspaceId),
    done: () => ({ title: t('skipped') }),
  })
  const passed = series.occurrences.filter(({ at }) => Date.parse(at) <= nowMs).slice(-3)
  const coming = series.state === 'ended' ? [] : series.occurrences.filter(({ at }) => Date.parse(at) > nowMs).slice(0, 5)
  if (passed.length + coming.length === 0) return null
  return (
    <ul aria-label={t('dates')} className="flex flex-col">
      {[...passed, ...coming].map(({ date, at, state, uploadId }) => {
        const when = formatTime(at, 'dayAndTime', { ...style, zone: series.timezone })
        const isPassed = Date.parse(at) <= nowMs
        return (
          <li
            key={date}
            className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line text-sm last:border-b-0 pointer-coarse:min-h-12"
          >
            <time dateTime={at} className={`figures w-44 ${isPassed ? 'text-quiet' : ''}`}>
              {when}
            </time>
            <Badge tone={dateTones[state]}>{t(`date.${state === 'made' && isPassed ? 'passed' : state}`)}</Badge>
            <span className="ml-auto flex items-center gap-3">
              {uploadId !== null && (
                <Link
                  to="/w/$workspaceId/posts/$postId"
                  params={{ workspaceId, postId: uploadId }}
                  aria-label={t('showPost', { when })}
                  className="inline-flex min-h-6 items-center"
                >
                  {t('post')}
                </Link>
              )}
              {mayWrite && !isPassed && ['made', 'scheduled', 'refused'].includes(state) && (
                <Button
                  size="sm"
                  isBusy={isPending && variables === date}
                  aria-label={t('skipDate', { when })}
                  onClick={() => skip(date)}
                >
                  {t('skip')}
                </Button>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** What a change of a series may change. */
function affected(workspaceId: string) {
  return ['series.list', 'series.get', 'content.list', 'content.calendar', 'content.get'].map((name) => [name, workspaceId])
}

function SeriesActions({ series }: { series: Series }) {
  const { t } = useTranslation('series')
  const { t: shell } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [mayWrite, isAdmin] = [useMay('editor'), useMay('admin')]
  const [open, setOpen] = useState<'edit' | 'end' | 'remove' | null>(null)
  const [removesPosts, setRemovesPosts] = useState(true)
  const close = () => setOpen(null)
  const affects = () => affected(workspaceId)
  const { mutate: set, isPending } = useChange({
    run: (state: 'active' | 'paused') => carillon.series.update(series.id, { state }, { workspaceId }),
    affects,
    done: (state) => ({ title: t(state === 'active' ? 'done.resumed' : 'done.paused') }),
  })
  const posts = removesPosts ? ('remove' as const) : ('keep' as const)
  const { mutate: finish, isPending: isFinishing } = useChange({
    run: (what: 'end' | 'remove'): Promise<unknown> =>
      what === 'end'
        ? carillon.series.update(series.id, { state: 'ended', posts }, { workspaceId })
        : carillon.series.remove(series.id, { posts }, { workspaceId }),
    affects,
    done: (what) => ({ title: t(what === 'end' ? 'done.ended' : 'done.removed') }),
    onDone: close,
  })
  const { mutate: approve, isPending: isApproving } = useChange({
    run: () => carillon.series.approve(series.id, { revision: series.revision ?? '' }, { workspaceId }),
    affects,
    done: (_input: void) => ({ title: t('done.approved') }),
  })
  if (!mayWrite) return null
  const isEnded = series.state === 'ended'
  const isRemove = open === 'remove'
  return (
    <div className="flex flex-wrap gap-2">
      {series.approval === 'pending' && isAdmin && (
        <Button size="sm" variant="primary" isBusy={isApproving} onClick={() => approve()}>
          {t('approve')}
        </Button>
      )}
      {!isEnded && (
        <>
          <Button size="sm" onClick={() => setOpen('edit')}>
            {t('edit.open')}
          </Button>
          <Button size="sm" isBusy={isPending} onClick={() => set(series.state === 'paused' ? 'active' : 'paused')}>
            {t(series.state === 'paused' ? 'resume' : 'pause')}
          </Button>
          <Button size="sm" onClick={() => setOpen('end')}>
            {t('end.open')}
          </Button>
        </>
      )}
      <Button size="sm" onClick={() => setOpen('remove')}>
        {t('remove')}
      </Button>
      {open === 'edit' && (
        <EditSeriesDialog
          workspaceId={workspaceId}
          series={series}
          onClose={close}
          onSaved={() => {
            for (const queryKey of affected(workspaceId)) void queryClient.invalidateQueries({ queryKey })
            close()
          }}
        />
      )}
      <ConfirmDialog
        open={isRemove || open === 'end'}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={t(isRemove ? 'confirm.remove' : 'confirm.end', { name: series.name })}
        description={t(isRemove ? 'confirm.removeText' : 'confirm.endText')}
        cancelLabel={shell('cancel')}
        confirmLabel={t(isRemove ? 'remove' : 'end.open')}
        isDangerous
        isBusy={isFinishing}
        onConfirm={() => finish(isRemove ? 'remove' : 'end')}
      >
        <Checkbox label={t('confirm.posts')} checked={removesPosts} onChange={setRemovesPosts} />
      </ConfirmDialog>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type HourOfSends,
  type OperatorFigures,
  type OperatorPlatform,
  type PoolFigures,
  type QueueFigures,
  operatorAccess,
  operatorFigures,
} from '../../api/operator.ts'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { usePlatformName } from '../../connections/use-start-connect.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { formatDuration, formatNumber } from '../../time/format-number.ts'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { UsageMeter } from '../workspace/usage-meter.tsx'
import { LatenessGroup } from './lateness-group.tsx'
import { ChoresTable, LoopsTable } from './loops-table.tsx'
import { OutcomesTable } from './outcomes-table.tsx'
import { ProblemList } from './problem-list.tsx'
import { StorageGroup } from './storage-group.tsx'

/** How the whole installation is doing. Only its operators see this; the server checks the same. */
export function OperatorSection() {
  const { t } = useTranslation('operator')
  const { data: isOperator, error, refetch } = useQuery(operatorAccess())
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (isOperator === undefined) return <SkeletonLines label={t('loading')} count={6} />
  return isOperator ? <Installation /> : <Notice title={t('onlyOperators')}>{t('onlyOperatorsHint')}</Notice>
}

function Installation() {
  const { t } = useTranslation('operator')
  const { data, error, refetch } = useQuery(operatorFigures())
  return (
    <>
      <p className="max-w-[68ch] text-quiet">{t('text')}</p>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonLines label={t('loading')} count={8} />}
      {data && <Figures figures={data} />}
    </>
  )
}

function Figures({ figures }: { figures: OperatorFigures }) {
  const { t } = useTranslation('operator')
  const { queues, day, platforms, chores, process } = figures
  return (
    <>
      <ProblemList figures={figures} />
      {queues && <KeyFigures queues={queues} total={day?.total ?? null} />}
      {day && <LatenessGroup day={day} />}
      {platforms && (
        <SettingGroup title={t('outcomes.title')} description={t('outcomes.text')}>
          <OutcomesTable platforms={platforms} />
        </SettingGroup>
      )}
      {platforms && (
        <SettingGroup title={t('accounts.title')} description={t('accounts.text')}>
          <AccountsTable platforms={platforms} />
        </SettingGroup>
      )}
      {queues && (
        <SettingGroup title={t('queues.title')} description={t('queues.text')}>
          <QueuesTable queues={queues} />
        </SettingGroup>
      )}
      <StorageGroup />
      {chores && (
        <SettingGroup title={t('chores.title')} description={chores.length > 0 ? t('chores.text') : t('chores.none')}>
          {chores.length > 0 && <ChoresTable chores={chores} />}
        </SettingGroup>
      )}
      <SettingGroup title={t('loops.title')} description={process.loops.length > 0 ? t('loops.text') : t('loops.elsewhere')}>
        {process.loops.length > 0 && <LoopsTable loops={process.loops} />}
      </SettingGroup>
      <SettingGroup title={t('pools.title')} description={t('pools.text')}>
        <PoolMeters pools={process.pools} />
      </SettingGroup>
    </>
  )
}

/** How many database connections of the process that answered are busy. */
function PoolMeters({ pools }: { pools: readonly PoolFigures[] }) {
  const { t } = useTranslation('operator')
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      {pools.map(({ pool, max, open, idle, waiting }) => (
        <div key={pool} className="flex flex-col gap-1">
          <h4 className="text-sm text-quiet">{t(`pools.${pool}`)}</h4>
          <UsageMeter
            label={t(`pools.${pool}`)}
            used={open - idle}
            limit={max}
            text={t('pools.busy', { busy: open - idle, max })}
            rest={t('pools.rest', { idle, waiting })}
          />
        </div>
      ))}
    </div>
  )
}

/** The few figures that say whether posts go out on time. */
function KeyFigures({ queues, total }: { queues: QueueFigures; total: HourOfSends | null }) {
  const { t, i18n } = useTranslation('operator')
  const time = (seconds: number | null | undefined) => (seconds == null ? '–' : formatDuration(seconds, i18n.language))
  const number = (value: number) => formatNumber(value, i18n.language)
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-5 md:grid-cols-3 xl:grid-cols-5">
      <Figure
        label={t('figures.oldest')}
        value={time(queues.oldestOverdueSeconds)}
        note={t('figures.overdue', { count: queues.overdue, number: number(queues.overdue) })}
      />
      <Figure label={t('figures.late95')} value={time(total?.p95)} note={t('figures.ofDay')} />
      <Figure label={t('figures.late99')} value={time(total?.p99)} note={t('figures.ofDay')} />
      <Figure
        label={t('figures.inProgress')}
        value={number(queues.inProgress)}
        note={t('figures.stuck', { count: queues.stuck, number: number(queues.stuck) })}
      />
      <Figure label={t('figures.heartbeat')} value={time(queues.heartbeatAgeSeconds)} note={t('figures.heartbeatNote')} />
    </dl>
  )
}

function Figure({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1 border-l-2 border-line py-1 pl-4">
      <dt className="text-sm text-quiet">{label}</dt>
      <dd className="flex flex-col">
        <span className="figures text-2xl font-medium">{value}</span>
        <span className="text-sm text-quiet">{note}</span>
      </dd>
    </div>
  )
}

type QueueRow = {
  name: 'posts' | 'events' | 'deliveries' | 'mails'
  waiting: number
  inProgress: number | null
  oldest: number | null
}

/** What waits, how much of it is being done, and since when the oldest waits. */
function QueuesTable({ queues }: { queues: QueueFigures }) {
  const { t, i18n } = useTranslation('operator')
  const number = (value: number | null) => (value === null ? '–' : formatNumber(value, i18n.language))
  const time = (seconds: number | null) => (seconds === null ? '–' : formatDuration(seconds, i18n.language))
  const rows: QueueRow[] = [
    { name: 'posts', waiting: queues.overdue, inProgress: queues.inProgress, oldest: queues.oldestOverdueSeconds },
    { name: 'events', waiting: queues.eventsWaiting, inProgress: null, oldest: queues.eventsOldestSeconds },
    { name: 'deliveries', waiting: queues.deliveriesWaiting, inProgress: queues.deliveriesInProgress, oldest: null },
    { name: 'mails', waiting: queues.mailsWaiting, inProgress: null, oldest: queues.mailsOldestSeconds },
  ]
  return (
    <Table label={t('queues.title')}>
      <thead>
        <tr>
          <HeadCell>{t('queues.name')}</HeadCell>
          <HeadCell className="text-right">{t('queues.waiting')}</HeadCell>
          <HeadCell className="text-right">{t('queues.inProgress')}</HeadCell>
          <HeadCell className="text-right">{t('queues.oldest')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, waiting, inProgress, oldest }) => (
          <tr key={name}>
            <Cell>{t(`queues.names.${name}`)}</Cell>
            <Cell className="figures text-right">{number(waiting)}</Cell>
            <Cell className="figures text-right">{number(inProgress)}</Cell>
            <Cell className="figures text-right whitespace-nowrap">{time(oldest)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** How many accounts of each platform need a person, now or soon. */
function AccountsTable({ platforms }: { platforms: readonly OperatorPlatform[] }) {
  const { t, i18n } = useTranslation('operator')
  const nameOf = usePlatformName()
  const rows = platforms.filter(({ accounts, needReconnect }) => accounts + needReconnect > 0)
  if (rows.length === 0) return <p className="text-quiet">{t('accounts.empty')}</p>
  const cells = (row: OperatorPlatform) => [
    { key: 'accounts', value: row.accounts, tone: '' },
    { key: 'needReconnect', value: row.needReconnect, tone: row.needReconnect > 0 ? 'font-medium text-rust' : '' },
    { key: 'expiring', value: row.expiring, tone: row.expiring > 0 ? 'font-medium text-straw' : '' },
  ]
  return (
    <Table label={t('accounts.title')}>
      <thead>
        <tr>
          <HeadCell>{t('platform')}</HeadCell>
          <HeadCell className="text-right">{t('accounts.connected')}</HeadCell>
          <HeadCell className="text-right">{t('accounts.needReconnect')}</HeadCell>
          <HeadCell className="text-right">{t('accounts.expiring')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.platform}>
            <Cell>
              <span className="flex items-center gap-2">
                <PlatformMark platform={row.platform} className="size-4" />
                {nameOf(row.platform)}
              </span>
            </Cell>
            {cells(row).map(({ key, value, tone }) => (
              <Cell key={key} className={`figures text-right ${tone}`}>
                {formatNumber(value, i18n.language)}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

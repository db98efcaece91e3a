import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { operatorAccess, operatorFigures, type OperatorFigures } from '../../api/operator.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { AccountsTable } from './accounts-table.tsx'
import { KeyFigures } from './key-figures.tsx'
import { LatenessGroup } from './lateness-group.tsx'
import { LoopsTable } from './loops-table.tsx'
import { OutcomesTable } from './outcomes-table.tsx'
import { PoolMeters } from './pool-meters.tsx'
import { ProblemList } from './problem-list.tsx'
import { QueuesTable } from './queues-table.tsx'
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
  const { queues, day, platforms, process } = figures
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
      <SettingGroup title={t('loops.title')} description={process.loops.length > 0 ? t('loops.text') : t('loops.elsewhere')}>
        {process.loops.length > 0 && <LoopsTable loops={process.loops} />}
      </SettingGroup>
      <SettingGroup title={t('pools.title')} description={t('pools.text')}>
        <PoolMeters pools={process.pools} />
      </SettingGroup>
    </>
  )
}

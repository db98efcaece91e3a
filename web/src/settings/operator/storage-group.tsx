import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { operatorStorage, type StorageTotals } from '../../api/operator.ts'
import { workspacesList } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { formatSize } from '../../media/format-size.ts'
import { formatNumber } from '../../time/format-number.ts'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'
import { SettingGroup } from '../setting-group.tsx'

/** What the files of all workspaces take, and whose take most. */
export function StorageGroup() {
  const { t } = useTranslation('operator')
  const { data, error, refetch } = useQuery(operatorStorage())
  return (
    <SettingGroup title={t('storage.title')} description={t('storage.text')}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <SkeletonLines label={t('loading')} count={3} />}
      {data === null && <p className="text-quiet">{t('storage.unknown')}</p>}
      {data && <Totals totals={data} />}
    </SettingGroup>
  )
}

function Totals({ totals: { totalBytes, workspaces, limitBytes, largest } }: { totals: StorageTotals }) {
  const { t, i18n } = useTranslation('operator')
  // The server names ids only. What the person belongs to has a name here.
  const { data: own = [] } = useQuery(workspacesList())
  const number = (value: number) => formatNumber(value, i18n.language)
  const size = (bytes: number) => formatSize(bytes, i18n.language)
  if (largest.length === 0) return <p className="text-quiet">{t('storage.empty')}</p>
  return (
    <>
      <p>
        <span className="figures text-2xl font-medium">{size(totalBytes)}</span>{' '}
        {limitBytes !== null && (
          <span className="figures">
            {t('storage.ofLimit', { limit: size(limitBytes), share: percent(totalBytes / limitBytes, i18n.language) })}{' '}
          </span>
        )}
        <span className="text-quiet">{t('storage.inWorkspaces', { count: workspaces, number: number(workspaces) })}</span>
      </p>
      <Table label={t('storage.title')}>
        <thead>
          <tr>
            <HeadCell>{t('storage.workspace')}</HeadCell>
            <HeadCell className="text-right">{t('storage.files')}</HeadCell>
            <HeadCell className="text-right">{t('storage.size')}</HeadCell>
            <HeadCell className="text-right">{t('storage.share')}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {largest.map(({ workspaceId, bytes, files }) => {
            const name = own.find(({ id }) => id === workspaceId)?.name
            return (
              <tr key={workspaceId}>
                <Cell>
                  {name !== undefined && <span className="mr-2">{name}</span>}
                  <span className="font-mono text-xs text-quiet">{workspaceId}</span>
                </Cell>
                <Cell className="figures text-right">{number(files)}</Cell>
                <Cell className="figures text-right whitespace-nowrap">{size(bytes)}</Cell>
                <Cell className="figures text-right whitespace-nowrap">{percent(bytes / totalBytes, i18n.language)}</Cell>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </>
  )
}

function percent(part: number, language: string): string {
  return part.toLocaleString(language, { style: 'percent', maximumFractionDigits: part < 0.1 ? 1 : 0 })
}

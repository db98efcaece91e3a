import { useTranslation } from 'react-i18next'
import type { OperatorPlatform } from '../../api/operator.ts'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { usePlatformName } from '../../connections/use-platform-name.ts'
import { formatNumber } from '../../time/format-number.ts'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'

/** How many accounts of each platform need a person, now or soon. */
export function AccountsTable({ platforms }: { platforms: readonly OperatorPlatform[] }) {
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

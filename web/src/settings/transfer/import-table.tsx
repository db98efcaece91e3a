import type { Import } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'

/** What would become of each row, or became of it. */
export function ImportTable({ found }: { found: Import }) {
  const { t } = useTranslation('transfer')
  return (
    <Table label={t('rows.title')}>
      <thead>
        <tr>
          <HeadCell>{t('rows.row')}</HeadCell>
          <HeadCell>{t('rows.result')}</HeadCell>
          <HeadCell>{t('rows.text')}</HeadCell>
          <HeadCell>{t('rows.why')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {found.rows.map(({ row, status, placement, excerpt, message }) => (
          <tr key={row}>
            <Cell>{row}</Cell>
            <Cell className={status === 'refused' ? 'font-medium text-rust' : ''}>
              {t(`status.${status}`)}
              {placement !== null && <span className="block text-sm text-quiet">{t(`placement.${placement}`)}</span>}
            </Cell>
            <Cell className="wrap-anywhere">{excerpt}</Cell>
            <Cell className="wrap-anywhere">{message}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

import type { AuditEntry } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import type words from '../../i18n/en/settings.json'
import { formatTime } from '../../time/format-time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'

type ActionWord = keyof (typeof words)['audit']['actions']

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation('settings')
  const style = useTimeStyle()
  // A newer server may record what this page has no words for; then its code is shown.
  const say = (action: string) => t(`audit.actions.${action.replace('.', '_') as ActionWord}`, { defaultValue: action })
  return (
    <Table label={t('sections.audit')}>
      <thead>
        <tr>
          <HeadCell>{t('audit.when')}</HeadCell>
          <HeadCell>{t('audit.who')}</HeadCell>
          <HeadCell>{t('audit.what')}</HeadCell>
          <HeadCell>{t('audit.id')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, email, apiKeyId, action, subjectId }) => (
          <tr key={id}>
            <Cell className="figures whitespace-nowrap">{formatTime(at, 'dayAndTime', style)}</Cell>
            <Cell className="whitespace-nowrap">
              {email ?? t('audit.formerMember')} {apiKeyId !== null && <Badge>{t('audit.byKey')}</Badge>}
            </Cell>
            <Cell className="whitespace-nowrap">{say(action)}</Cell>
            <Cell className="font-mono text-xs text-quiet">{subjectId}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

import type { AuditEntry } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type words from '../../i18n/en/settings.json'
import { formatTime } from '../../time/format-time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useAccess } from '../use-access.ts'
import { isNamedByPeople, useName } from './use-name.ts'

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
          <HeadCell>{t('audit.subject')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, userId, email, apiKeyId, action, subjectId }) => (
          <tr key={id}>
            <Cell className="figures whitespace-nowrap">{formatTime(at, 'dayAndTime', style)}</Cell>
            <Cell className="whitespace-nowrap">
              {email ?? t(userId === null ? 'audit.platform' : 'audit.formerMember')}{' '}
              {apiKeyId !== null && <KeyBadge apiKeyId={apiKeyId} />}
            </Cell>
            <Cell className="whitespace-nowrap">{say(action)}</Cell>
            <Cell>{subjectId !== null && <Subject action={action} subjectId={subjectId} />}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** With which key it was done, while the workspace has it. */
function KeyBadge({ apiKeyId }: { apiKeyId: string }) {
  const { t } = useTranslation('settings')
  const label = useName('api_key', apiKeyId)
  return <Badge>{label === undefined ? t('audit.byKey') : t('audit.byNamedKey', { label })}</Badge>
}

/** What was changed: a link where there is a page of it, a name where the workspace still knows one, and otherwise its id. */
function Subject({ action, subjectId }: { action: string; subjectId: string }) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const [kind = '', verb] = action.split('.')
  const name = useName(kind, subjectId)
  if (kind === 'post' && verb !== 'delete')
    return (
      <Link to="/w/$workspaceId/posts/$postId" params={{ workspaceId, postId: subjectId }} className="whitespace-nowrap">
        {t('audit.showPost')}
      </Link>
    )
  if (kind === 'media' && (verb === 'upload' || verb === 'update' || verb === 'fetch' || verb === 'complete_upload'))
    return (
      <Link to="/w/$workspaceId/media" params={{ workspaceId }} search={{ item: subjectId }} className="whitespace-nowrap">
        {t('audit.showFile')}
      </Link>
    )
  const id = <span className="font-mono text-xs text-quiet">{subjectId}</span>
  if (name === undefined) return id
  // Two of these may have one name.
  return isNamedByPeople(kind) ? (
    <span className="flex flex-col">
      <span>{name}</span>
      {id}
    </span>
  ) : (
    <span>{name}</span>
  )
}

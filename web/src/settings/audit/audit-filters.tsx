import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { workspacesMembers } from '../../api/queries.gen.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { useAccess } from '../use-access.ts'

export type AuditSearch = { action?: string; person?: string; from?: string; to?: string }

/** What a change can be about: the first word of its action. */
const subjects = ['post', 'media', 'connection', 'member', 'invitation', 'api_key', 'webhook', 'workspace'] as const

type AuditFiltersProps = { search: AuditSearch; onChange: (part: Partial<AuditSearch>) => void }

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const { data: members = [] } = useQuery(workspacesMembers(workspaceId))
  const setOrClear = (value: string) => (value === 'all' ? '' : value)
  return (
    <search className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      <Field label={t('audit.subject')}>
        <Select<string>
          value={search.action ?? 'all'}
          onChange={(action) => onChange({ action: setOrClear(action) })}
          options={[
            { value: 'all', label: t('audit.allSubjects') },
            ...subjects.map((subject) => ({ value: subject, label: t(`audit.subjects.${subject}`) })),
          ]}
        />
      </Field>
      <Field label={t('audit.person')}>
        <Select<string>
          value={search.person ?? 'all'}
          onChange={(person) => onChange({ person: setOrClear(person) })}
          options={[
            { value: 'all', label: t('audit.everybody') },
            ...members.map(({ userId, name, email }) => ({ value: userId, label: name || email })),
          ]}
        />
      </Field>
      <Field label={t('audit.from')}>
        <Input type="date" value={search.from ?? ''} max={search.to} onValueChange={(from: string) => onChange({ from })} />
      </Field>
      <Field label={t('audit.to')}>
        <Input type="date" value={search.to ?? ''} min={search.from} onValueChange={(to: string) => onChange({ to })} />
      </Field>
    </search>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { workspacesMembers } from '../../api/queries.gen.ts'
import { DayField } from '../../schedule/day-field.tsx'
import { todayIn } from '../../time/zoned-day.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useAccess } from '../use-access.ts'

export type AuditSearch = { action?: string; person?: string; from?: string; to?: string }

/** What a change can be about: the first word of its action. */
const subjects = [
  'post',
  'media',
  'connection',
  'member',
  'invitation',
  'queue',
  'api_key',
  'webhook',
  'label',
  'note',
  'import',
  'calendar_feed',
  'workspace',
] as const

type AuditFiltersProps = { search: AuditSearch; onChange: (part: Partial<AuditSearch>) => void }

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const { zone } = useTimeStyle()
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
      <DayField
        label={t('audit.from')}
        value={search.from ?? ''}
        zone={zone}
        past={{ to: search.to ?? todayIn(zone) }}
        onChange={(from) => onChange({ from })}
      />
      <DayField
        label={t('audit.to')}
        value={search.to ?? ''}
        zone={zone}
        past={{ from: search.from, to: todayIn(zone) }}
        onChange={(to) => onChange({ to })}
      />
    </search>
  )
}

import type { GrantableScope } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { RadioGroup } from '../ui/form/radio-group.tsx'
import { isForDraftsOnly } from './posting-limits.ts'

const subjects = ['content', 'media', 'analytics', 'ai', 'webhooks', 'workspaces'] as const

/** What most programs need. A key that may do everything is asked for, not given by default. */
export const postScopes: readonly GrantableScope[] = ['content:read', 'content:write']

type ScopePickerProps = {
  /** Null: everything that its creator may do. */
  scopes: readonly GrantableScope[] | null
  onChange: (scopes: readonly GrantableScope[] | null) => void
}

/** What a key may do: everything, or reading and writing by subject. */
export function ScopePicker({ scopes, onChange }: ScopePickerProps) {
  const { t } = useTranslation('keys')
  const isDraftsOnly = isForDraftsOnly(scopes)
  /** Posts are written with one of two scopes, which are one choice here. */
  const scopeOf = (subject: (typeof subjects)[number], access: 'read' | 'write'): GrantableScope =>
    subject === 'content' && access === 'write' && isDraftsOnly ? 'content:draft' : `${subject}:${access}`
  const toggle = (scope: GrantableScope, isChosen: boolean) =>
    onChange(isChosen ? [...(scopes ?? []), scope] : (scopes ?? []).filter((each) => each !== scope))
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t('scopes.title')}</legend>
      <RadioGroup
        label={t('scopes.title')}
        value={scopes === null ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? null : postScopes)}
        choices={[
          { value: 'all', label: t('scopes.all'), note: t('scopes.allNote') },
          { value: 'some', label: t('scopes.some') },
        ]}
      />
      {scopes !== null && (
        <ul className="grid gap-x-4 gap-y-2 border-l border-line pl-4 sm:grid-cols-2">
          {subjects.flatMap((subject) =>
            (['read', 'write'] as const).map((access) => (
              <li key={`${subject}:${access}`}>
                <Checkbox
                  label={
                    scopeOf(subject, access) === 'content:draft' ? t('scopes.content.draft') : t(`scopes.${subject}.${access}`)
                  }
                  checked={scopes.includes(scopeOf(subject, access))}
                  onChange={(isChosen) => toggle(scopeOf(subject, access), isChosen)}
                />
              </li>
            )),
          )}
        </ul>
      )}
      {scopes?.length === 0 && <p className="text-sm font-medium text-rust">{t('scopes.none')}</p>}
    </fieldset>
  )
}

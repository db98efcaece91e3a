import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { platformsList, workspacesConnections } from '../api/queries.gen.ts'
import { accountNames } from '../connections/account-label.ts'
import { TimeField } from '../schedule/time-field.tsx'
import { zoneCity } from '../time/format-time.ts'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { Select } from '../ui/form/select.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { findUnfinished, type LimitChoices } from './posting-limits.ts'

type LimitPickerProps = {
  choices: LimitChoices
  onChange: (choices: LimitChoices) => void
  isDraftsOnly: boolean
  /** Absent where the key may do everything: then it may publish. */
  onDraftsOnly?: ((isDraftsOnly: boolean) => void) | undefined
}

/** What holds for the posts of a key. A key for drafts releases nothing, so nothing else than its accounts is asked about it. */
export function LimitPicker({ choices, onChange, isDraftsOnly, onDraftsOnly }: LimitPickerProps) {
  const { t } = useTranslation('keys')
  const set = (change: Partial<LimitChoices>) => onChange({ ...choices, ...change })
  const { postsPerDay, onDuplicate } = choices
  const unfinished = findUnfinished(choices)
  return (
    <fieldset className="flex min-w-0 flex-col gap-2.5">
      <legend className="mb-1.5 text-sm font-medium">{t('limits.title')}</legend>
      {onDraftsOnly && (
        <Checkbox label={t('limits.drafts')} note={t('limits.draftsNote')} checked={isDraftsOnly} onChange={onDraftsOnly} />
      )}
      <AccountLimit choices={choices} onChange={onChange} />
      {!isDraftsOnly && (
        <>
          <Checkbox
            label={t('limits.posts')}
            checked={postsPerDay !== null}
            onChange={(isLimited) => set({ postsPerDay: isLimited ? '5' : null })}
          />
          {postsPerDay !== null && (
            <Field
              label={t('limits.postsADay')}
              isLabelHidden
              className="ml-7.5 max-w-32"
              error={unfinished.includes('postsPerDay') ? t('limits.postsWrong') : null}
            >
              <Input inputMode="numeric" value={postsPerDay} onChange={(event) => set({ postsPerDay: event.target.value })} />
            </Field>
          )}
          <HourLimit choices={choices} onChange={onChange} />
          <Field label={t('limits.repeated')} className="mt-1">
            <Select
              options={(['allow', 'warn', 'refuse'] as const).map((value) => ({
                value,
                label: t(`limits.repeatedChoices.${value}`),
              }))}
              value={onDuplicate}
              onChange={(value) => set({ onDuplicate: value })}
            />
          </Field>
        </>
      )}
    </fieldset>
  )
}

type PartProps = Pick<LimitPickerProps, 'choices' | 'onChange'>

function AccountLimit({ choices, onChange }: PartProps) {
  const { t } = useTranslation('keys')
  const { id: workspaceId } = useWorkspace()
  const { data: accounts = [] } = useQuery(workspacesConnections(workspaceId))
  const { data: platforms = [] } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  const names = accountNames(accounts)
  const platformName = (wanted: string) => platforms.find(({ platform }) => platform === wanted)?.name ?? wanted
  const { connections } = choices
  const toggle = (slug: string, isChosen: boolean) => {
    const others = (connections ?? []).filter((each) => each !== slug)
    onChange({ ...choices, connections: isChosen ? [...others, slug] : others })
  }
  if (accounts.length === 0) return null
  return (
    <>
      <Checkbox
        label={t('limits.accounts')}
        checked={connections !== null}
        onChange={(isLimited) => onChange({ ...choices, connections: isLimited ? [] : null })}
      />
      {connections !== null && (
        <ul aria-label={t('limits.accounts')} className="ml-2.5 grid gap-x-4 gap-y-2 border-l border-line pl-5 sm:grid-cols-2">
          {accounts.map(({ id, slug, platform }) => (
            <li key={id}>
              <Checkbox
                label={names.get(id) ?? slug}
                note={platformName(platform)}
                checked={connections.includes(slug)}
                onChange={(isChosen) => toggle(slug, isChosen)}
              />
            </li>
          ))}
        </ul>
      )}
      {connections?.length === 0 && <p className="ml-7.5 text-sm font-medium text-rust">{t('limits.noAccount')}</p>}
    </>
  )
}

function HourLimit({ choices, onChange }: PartProps) {
  const { t } = useTranslation('keys')
  const { timezone } = useWorkspace()
  const { hours } = choices
  const isSame = hours !== null && hours.from !== '' && hours.from === hours.to
  return (
    <>
      <Checkbox
        label={t('limits.hours')}
        note={hours === null ? undefined : t('limits.hoursNote', { city: zoneCity(timezone) })}
        checked={hours !== null}
        onChange={(isLimited) => onChange({ ...choices, hours: isLimited ? { from: '08:00', to: '18:00' } : null })}
      />
      {hours && (
        <div className="ml-7.5 grid max-w-80 grid-cols-2 gap-3">
          <TimeField
            label={t('limits.from')}
            value={hours.from}
            onChange={(from) => onChange({ ...choices, hours: { ...hours, from } })}
          />
          <TimeField
            label={t('limits.to')}
            value={hours.to}
            onChange={(to) => onChange({ ...choices, hours: { ...hours, to } })}
          />
        </div>
      )}
      {isSame && <p className="ml-7.5 text-sm font-medium text-rust">{t('limits.hoursSame')}</p>}
    </>
  )
}

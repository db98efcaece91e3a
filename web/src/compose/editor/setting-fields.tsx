import { isHandedOver } from '@carillon/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { AccountState } from '../accounts/account-state.tsx'
import { useCompose } from '../compose-context.ts'
import { DisclosureFields } from '../declarations/disclosure-fields.tsx'
import { findExclusion } from '../declarations/exclusions.ts'
import { readDeclarations } from '../declarations/read-declarations.ts'
import { channelDraft, formatsByType } from '../state/channel-draft.ts'
import { filesOf } from '../state/compose-state.ts'
import type { Account } from '../state/findings.ts'
import { readSettings, splitList, type Setting } from './read-settings.ts'
import { useFieldError } from './use-describe-finding.ts'

const CoverField = lazy(async () => ({ default: (await import('../cover/cover-field.tsx')).CoverField }))

/** What only one platform has: the kind of post, where there are several, and its settings. */
export function SettingFields({ account }: { account: Account }) {
  const { t, i18n } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const { slug, platform } = account
  const { type, format } = channelDraft(state, slug)
  const formats = formatsByType[type].filter((each) => platform.formats.includes(each))
  // In the common tab, the label is chosen for all accounts.
  const isElsewhere = (name: string) => state.tab === null && name === platform.aiLabel?.setting
  const { disclosure, handover } = platform
  // What is chosen in the app of the platform is not asked here.
  const isInApp = isHandedOver(state.own[slug]?.settings, handover)
  const settings = readSettings(platform.settings, { format, language: i18n.language }).filter(({ name }) =>
    isInApp ? name === handover?.setting : !isElsewhere(name),
  )
  const kinds = settings.filter(({ name }) => disclosure?.kinds.includes(name) === true)
  const formatError = useFieldError('contentFormat')
  if (formats.length < 2 && settings.length === 0)
    return formatError && <p className="text-sm font-medium text-rust">{formatError}</p>
  return (
    <fieldset className="flex flex-col gap-4 border-t border-line pt-4">
      <legend className="sr-only">{t('settings.title', { platform: platform.name })}</legend>
      <AccountState account={account} />
      {formats.length > 1 && (
        <Field label={t('settings.format')} error={formatError}>
          <Select
            options={formats.map((value) => ({ value, label: t(`formats.${value}`) }))}
            value={format}
            onChange={(next) => dispatch({ type: 'chooseFormat', slug, format: next === type ? null : next })}
          />
        </Field>
      )}
      {settings
        .filter(({ name }) => !kinds.some((kind) => kind.name === name))
        .map((setting) =>
          setting.name === disclosure?.setting ? (
            <DisclosureFields key={setting.name} account={account} setting={setting} kinds={kinds} />
          ) : (
            <SettingField key={setting.name} setting={setting} account={account} />
          ),
        )}
    </fieldset>
  )
}

function SettingField({ setting, account }: { setting: Setting; account: Account }) {
  const { t, i18n } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const { slug, platform } = account
  const { name, title, description } = setting
  const declarations = readDeclarations(platform.settings, i18n.language)
  const chosen = { settings: state.own[slug]?.settings ?? {}, declarations }
  const error = useFieldError(`settings.${name}`)
  const value = state.own[slug]?.settings[name]
  const allowed = platform.choices?.[name]
  const change = (next: unknown) => dispatch({ type: 'changeSetting', slug, name, value: next })
  if (setting.kind === 'toggle') {
    // What is chosen for all accounts counts until the account has a choice of its own.
    const fallback = name === platform.aiLabel?.setting ? (state.aiGenerated ?? false) : setting.fallback
    const isForbidden = allowed?.includes(!fallback) === false
    return (
      <div>
        <Checkbox
          label={title}
          note={isForbidden ? t('settings.forbidden', { platform: platform.name }) : (description ?? undefined)}
          checked={typeof value === 'boolean' ? value : fallback}
          disabled={isForbidden && value !== !fallback}
          onChange={(checked) => change(checked === fallback ? undefined : checked)}
        />
        {error && <p className="mt-1 text-sm font-medium text-rust">{error}</p>}
      </div>
    )
  }
  // The account has values of its own for a text, such as the names of its boards.
  const values = setting.kind === 'text' ? allowed?.filter((each) => typeof each === 'string') : undefined
  const choices = setting.kind === 'choice' ? choicesFor(account, setting, chosen) : []
  const refusal = choices.find((choice) => choice.refusal !== undefined)?.refusal
  const [video] = filesOf(state, slug).filter(({ kind }) => kind === 'video')
  const plain = (
    <Field label={title} error={error} hint={refusal ?? description ?? undefined}>
      {setting.kind === 'choice' && (
        <Select
          options={choices}
          placeholder={t('settings.choose')}
          {...(typeof value === 'string' ? { value } : setting.fallback !== null && { value: setting.fallback })}
          onChange={change}
        />
      )}
      {setting.kind === 'number' && (
        <Input
          type="number"
          step="any"
          {...(setting.min !== null && { min: setting.min })}
          {...(setting.max !== null && { max: setting.max })}
          value={typeof value === 'number' ? String(value) : ''}
          onChange={(event) => change(event.target.value === '' ? undefined : Number(event.target.value))}
        />
      )}
      {setting.kind === 'list' && (
        <NamesInput names={isNames(value) ? value : []} hasSpaces={setting.hasSpaces} onChange={change} />
      )}
      {setting.kind === 'people' && (
        <NamesInput
          names={isPeople(value) ? value.map(({ username }) => username) : []}
          onChange={(names) => change(names?.map((username) => knownPerson(value, username)))}
        />
      )}
      {values && (
        <Select
          options={values.map((each) => ({ value: each, label: each }))}
          placeholder={t('settings.choose')}
          {...(typeof value === 'string' && { value })}
          onChange={change}
        />
      )}
      {setting.kind === 'text' && !values && (
        <Input
          {...(setting.lengthMax !== null && { maxLength: setting.lengthMax })}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => change(event.target.value === '' ? undefined : event.target.value)}
        />
      )}
    </Field>
  )
  if (setting.kind !== 'number' || name !== platform.coverSetting || video === undefined) return plain
  return (
    <Suspense fallback={plain}>
      <CoverField
        key={video.key}
        title={title}
        error={error}
        file={video}
        seconds={typeof value === 'number' ? value : null}
        secondsMax={setting.max}
        onChange={change}
        fallback={plain}
      />
    </Suspense>
  )
}

/** What the account may choose, and what cannot be chosen beside the rest. */
function choicesFor(account: Account, setting: Setting & { kind: 'choice' }, chosen: Parameters<typeof findExclusion>[1]) {
  const allowed = account.platform.choices?.[setting.name]
  return setting.choices
    .filter(({ value }) => allowed?.includes(value) ?? true)
    .map((choice) => ({
      ...choice,
      refusal: findExclusion(account, chosen, { name: setting.name, value: choice.value }) ?? undefined,
    }))
}

type NamesInputProps = {
  names: readonly string[]
  hasSpaces?: boolean
  onChange: (names: string[] | undefined) => void
}

/** Several names or words in one field. */
function NamesInput({ names, hasSpaces = false, onChange }: NamesInputProps) {
  const [text, setText] = useState(names.join(', '))
  return (
    <Input
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        const next = splitList(event.target.value, hasSpaces)
        onChange(next.length > 0 ? next : undefined)
      }}
    />
  )
}

/** A person who was tagged by API keeps the point in the picture. */
function knownPerson(value: unknown, username: string) {
  return (isPeople(value) ? value.find((person) => person.username === username) : undefined) ?? { username }
}

function isPeople(value: unknown): value is { username: string }[] {
  return (
    Array.isArray(value) &&
    value.every((each) => typeof each === 'object' && each !== null && 'username' in each && typeof each.username === 'string')
  )
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

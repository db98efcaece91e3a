import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { useCompose } from '../compose-context.ts'
import { channelDraft, formatsByType } from '../state/channel-draft.ts'
import { filesOf } from '../state/compose-state.ts'
import type { Account } from '../state/findings.ts'
import { readSettings, type Setting } from './read-settings.ts'
import { useFieldError } from './use-describe-finding.ts'

const CoverField = lazy(async () => ({ default: (await import('../cover/cover-field.tsx')).CoverField }))

/** What only one platform has: the kind of post, where there are several, and its settings. */
export function SettingFields({ account }: { account: Account }) {
  const { t, i18n } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const { slug, platform } = account
  const { type, format } = channelDraft(state, slug)
  const formats = formatsByType[type].filter((each) => platform.formats.includes(each))
  const settings = readSettings(platform.settings, { format, language: i18n.language })
  const formatError = useFieldError('contentFormat')
  if (formats.length < 2 && settings.length === 0)
    return formatError && <p className="text-sm font-medium text-rust">{formatError}</p>
  return (
    <fieldset className="flex flex-col gap-4 border-t border-line pt-4">
      <legend className="sr-only">{t('settings.title', { platform: platform.name })}</legend>
      {formats.length > 1 && (
        <Field label={t('settings.format')} error={formatError}>
          <Select
            options={formats.map((value) => ({ value, label: t(`formats.${value}`) }))}
            value={format}
            onChange={(next) => dispatch({ type: 'chooseFormat', slug, format: next === type ? null : next })}
          />
        </Field>
      )}
      {settings.map((setting) => (
        <SettingField key={setting.name} setting={setting} account={account} />
      ))}
    </fieldset>
  )
}

function SettingField({ setting, account }: { setting: Setting; account: Account }) {
  const { t } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const { slug, platform } = account
  const { name, title, description } = setting
  const error = useFieldError(`settings.${name}`)
  const value = state.own[slug]?.settings[name]
  const change = (next: unknown) => dispatch({ type: 'changeSetting', slug, name, value: next })
  if (setting.kind === 'toggle') {
    return (
      <div>
        <Checkbox
          label={title}
          note={description ?? undefined}
          checked={typeof value === 'boolean' ? value : setting.fallback}
          onChange={(checked) => change(checked === setting.fallback ? undefined : checked)}
        />
        {error && <p className="mt-1 text-sm font-medium text-rust">{error}</p>}
      </div>
    )
  }
  const [video] = filesOf(state, slug).filter(({ kind }) => kind === 'video')
  const plain = (
    <Field label={title} error={error} hint={description ?? undefined}>
      {setting.kind === 'choice' && (
        <Select
          options={setting.choices}
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
      {setting.kind === 'list' && <NamesInput names={isNames(value) ? value : []} onChange={change} />}
      {setting.kind === 'text' && (
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

/** Several names in one field, with commas or spaces between them. */
function NamesInput({ names, onChange }: { names: readonly string[]; onChange: (names: string[] | undefined) => void }) {
  const [text, setText] = useState(names.join(', '))
  return (
    <Input
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        const next = event.target.value.split(/[\s,]+/).flatMap((name) => name.replace(/^@/, '') || [])
        onChange(next.length > 0 ? next : undefined)
      }}
    />
  )
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

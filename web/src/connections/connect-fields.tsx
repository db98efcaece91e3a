import type { PlatformInfo } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { PasswordInput } from '../ui/form/password-input.tsx'

type KnownField =
  | 'identifier'
  | 'username'
  | 'password'
  | 'accountPassword'
  | 'community'
  | 'botToken'
  | 'chat'
  | 'secret'
  | 'adminKey'
  | 'apiKey'
  | 'secretKey'
  | 'relays'
  | 'mediaServer'
type HintedField =
  | 'accountPassword'
  | 'community'
  | 'botToken'
  | 'chat'
  | 'secret'
  | 'adminKey'
  | 'secretKey'
  | 'relays'
  | 'mediaServer'
type Values = Readonly<Record<string, string>>

type ConnectFieldsProps = {
  info: PlatformInfo
  values: Values
  errors: Values
  onChange: (values: Record<string, string>) => void
  /** The account and its server are known. */
  isRenewal: boolean
}

/** The fields that the platform names itself, and the address of the server where accounts live on many. */
export function ConnectFields({ info, values, errors, onChange, isRenewal }: ConnectFieldsProps) {
  const { t } = useTranslation('connections')
  const { fields, instance } = info.connect
  // The labels of the platforms are English; a field that has no words here keeps its own.
  const labelOf = (name: string, label: string) => t(`fields.${name as KnownField}`, { defaultValue: label })
  const hintOf = (name: string, secret: boolean) =>
    t(`hints.${name as HintedField}`, { defaultValue: secret ? t('secretHint', { platform: info.name }) : '' })
  const bind = (name: string) => ({
    name,
    value: values[name] ?? '',
    onChange: (event: { target: { value: string } }) => onChange({ ...values, [name]: event.target.value }),
  })
  return (
    <>
      {fields.map(({ name, label, secret, optional = false }) => (
        <Field
          key={name}
          label={labelOf(name, label)}
          error={errors[name]}
          {...(hintOf(name, secret) !== '' && { hint: hintOf(name, secret) })}
          {...(optional && { aside: t('optional') })}
        >
          {secret ? (
            <PasswordInput {...bind(name)} required={!optional} autoComplete="off" showLabel={t('show')} hideLabel={t('hide')} />
          ) : (
            <Input {...bind(name)} required={!optional} autoComplete="off" autoCapitalize="none" spellCheck={false} />
          )}
        </Field>
      ))}
      {instance !== 'none' && !isRenewal && (
        <Field
          label={t('server')}
          hint={instance === 'required' ? t('serverHint') : t('serverOptionalHint', { platform: info.name })}
          error={errors['instanceUrl']}
          {...(instance === 'optional' && { aside: t('optional') })}
        >
          <Input
            {...bind('instanceUrl')}
            required={instance === 'required'}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="social.example"
          />
        </Field>
      )}
    </>
  )
}

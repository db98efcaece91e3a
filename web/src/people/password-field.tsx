import { useTranslation } from 'react-i18next'
import { Field } from '../ui/form/field.tsx'
import { PasswordInput } from '../ui/form/password-input.tsx'

/** As the server checks it. */
const lengthMin = 10

/** A field for a new password. */
export function PasswordField({ name, label, error }: { name: string; label?: string; error?: string | undefined }) {
  const { t } = useTranslation('people')
  return (
    <Field label={label ?? t('fields.password')} hint={t('fields.passwordHint', { count: lengthMin })} error={error}>
      <PasswordInput
        name={name}
        autoComplete="new-password"
        minLength={lengthMin}
        required
        showLabel={t('fields.showPassword')}
        hideLabel={t('fields.hidePassword')}
      />
    </Field>
  )
}

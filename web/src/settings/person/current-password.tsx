import { useTranslation } from 'react-i18next'
import { Field } from '../../ui/form/field.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'

/** The password that the person has now, to confirm that it is them. */
export function CurrentPassword({ name, label }: { name: string; label: string }) {
  const { t } = useTranslation('people')
  return (
    <Field label={label}>
      <PasswordInput
        name={name}
        autoComplete="current-password"
        required
        maxLength={1000}
        showLabel={t('fields.showPassword')}
        hideLabel={t('fields.hidePassword')}
      />
    </Field>
  )
}

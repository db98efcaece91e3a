import { useTranslation } from 'react-i18next'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { PasswordField } from './password-field.tsx'

/** What every new account needs: a name, an address and a password. */
export function NewAccountFields({ errors }: { errors: Readonly<Record<string, string>> }) {
  const { t } = useTranslation('people')
  return (
    <>
      <Field label={t('fields.name')} error={errors['name']}>
        <Input name="name" autoComplete="name" required maxLength={100} />
      </Field>
      <Field label={t('fields.email')} error={errors['email']}>
        <Input name="email" type="email" autoComplete="username" required />
      </Field>
      <PasswordField name="password" error={errors['password']} />
    </>
  )
}

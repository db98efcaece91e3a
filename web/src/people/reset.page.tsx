import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { auth } from '../api/auth.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { AccountLayout } from './account-layout.tsx'
import { PasswordField } from './password-field.tsx'
import { useSubmit } from './use-submit.ts'

/** Behind the link of a mail: sets a first password as well as a new one. */
export function ResetPage() {
  const { t } = useTranslation('people')
  const { token = '' } = useSearch({ from: '/reset' })
  const [isDone, setIsDone] = useState(false)
  const { onSubmit, isPending, error } = useSubmit(
    ({ password = '' }) => auth.resetPassword({ token, newPassword: password }),
    () => setIsDone(true),
  )
  if (isDone)
    return (
      <AccountLayout title={t('reset.doneTitle')} intro={t('reset.done')}>
        <Link to="/sign-in" className={buttonLook({ variant: 'primary' })}>
          {t('signIn.submit')}
        </Link>
      </AccountLayout>
    )
  return (
    <AccountLayout title={t('reset.title')}>
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} />}
        <PasswordField name="password" label={t('reset.password')} />
        <Button type="submit" variant="primary" isBusy={isPending}>
          {t('reset.submit')}
        </Button>
      </Form>
    </AccountLayout>
  )
}

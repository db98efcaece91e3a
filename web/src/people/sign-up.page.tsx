import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { auth, signInMethods } from '../api/auth.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { AccountLayout } from './account-layout.tsx'
import { MailSent } from './mail-sent.tsx'
import { NewAccountFields } from './new-account-fields.tsx'
import { useSubmit } from './use-submit.ts'

export function SignUpPage() {
  const { t } = useTranslation('people')
  const { data: methods } = useQuery(signInMethods())
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ name = '', email = '', password = '' }) => auth.signUp({ name, email, password }),
    (_result, { email = '' }) => setSentTo(email),
  )
  const foot = (
    <>
      {t('signUp.known')} <Link to="/sign-in">{t('signIn.submit')}</Link>
    </>
  )
  if (sentTo !== null) return <MailSent title={t('signUp.sentTitle')} email={sentTo} />
  return (
    <AccountLayout title={t('signUp.title')} foot={foot}>
      {methods?.signUp === false ? (
        <p className="text-quiet">{t('signIn.closed')}</p>
      ) : (
        <Form onSubmit={onSubmit} className="flex flex-col gap-4">
          {error && <ErrorNotice error={error} hidesDetails />}
          <NewAccountFields errors={fieldErrors} />
          <Button type="submit" variant="primary" isBusy={isPending}>
            {t('signUp.submit')}
          </Button>
        </Form>
      )}
    </AccountLayout>
  )
}

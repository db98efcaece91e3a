import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { auth, signInMethods } from '../api/auth.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { AccountLayout } from './account-layout.tsx'
import { MailSent } from './mail-sent.tsx'
import { useSubmit } from './use-submit.ts'

export function ForgotPage() {
  const { t } = useTranslation('people')
  const { data: methods } = useQuery(signInMethods())
  const sendsMail = methods?.mail !== false
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ email = '' }) => auth.requestReset(email),
    (_result, { email = '' }) => setSentTo(email),
  )
  if (sentTo !== null) return <MailSent title={t('forgot.sentTitle')} email={sentTo} />
  return (
    <AccountLayout
      title={t('forgot.title')}
      intro={t(sendsMail ? 'forgot.intro' : 'forgot.introNoMail')}
      foot={<Link to="/sign-in">{t('mailSent.back')}</Link>}
    >
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} hidesDetails />}
        <Field label={t('fields.email')} error={fieldErrors['email']}>
          <Input name="email" type="email" autoComplete="username" required />
        </Field>
        <Button type="submit" variant="primary" isBusy={isPending}>
          {t(sendsMail ? 'forgot.submit' : 'forgot.submitNoMail')}
        </Button>
      </Form>
    </AccountLayout>
  )
}

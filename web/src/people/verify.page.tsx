import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { auth } from '../api/auth.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { AccountLayout } from './account-layout.tsx'

/** Behind the link of a mail. Nothing happens until the button is pressed, because mail scanners open links too. */
export function VerifyPage() {
  const { t } = useTranslation('people')
  const { token = '' } = useSearch({ from: '/verify' })
  const { mutate, isPending, error, data } = useMutation({ mutationFn: () => auth.verifyAddress(token) })
  if (data)
    return (
      <AccountLayout title={t('verify.doneTitle')} intro={t('verify.done', { email: data.email })}>
        <Link to="/sign-in" className={buttonLook({ variant: 'primary' })}>
          {t('signIn.submit')}
        </Link>
      </AccountLayout>
    )
  return (
    <AccountLayout title={t('verify.title')} intro={t('verify.intro')}>
      {error && <ErrorNotice error={error} />}
      <Button variant="primary" isBusy={isPending} onClick={() => mutate()}>
        {t('verify.submit')}
      </Button>
    </AccountLayout>
  )
}

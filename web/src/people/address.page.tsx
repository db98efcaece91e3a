import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { auth, currentPerson } from '../api/auth.ts'
import { AuthError } from '../api/send.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { AccountLayout } from './account-layout.tsx'

/** Behind the link that is mailed to a new address. The link works only for the person who asked for it, so the page says who is signed in. */
export function AddressPage() {
  const { t } = useTranslation('settings')
  const { token = '' } = useSearch({ from: '/address' })
  const queryClient = useQueryClient()
  const { data: person } = useQuery(currentPerson())
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => auth.confirmAddress(token),
    onSuccess: () => {
      for (const operation of ['me.get', 'auth.person', 'auth.sessions', 'workspaces.members'])
        void queryClient.invalidateQueries({ queryKey: [operation] })
    },
  })
  const hasEnded = error instanceof AuthError && error.code === 'INVALID_TOKEN'
  if (data)
    return (
      <AccountLayout title={t('address.doneTitle')} intro={t('address.done', { email: data.email })}>
        <Link to="/" className={buttonLook({ variant: 'primary' })}>
          {t('address.goOn')}
        </Link>
      </AccountLayout>
    )
  return (
    <AccountLayout title={t('address.confirmTitle')} intro={t('address.confirm', { email: person?.email ?? '' })}>
      {hasEnded && (
        <Notice kind="problem" title={t('address.ended')}>
          {t('address.endedHint')}
        </Notice>
      )}
      {error && !hasEnded && <ErrorNotice error={error} />}
      <Button variant="primary" isBusy={isPending} onClick={() => mutate()}>
        {t('address.confirmSubmit')}
      </Button>
    </AccountLayout>
  )
}

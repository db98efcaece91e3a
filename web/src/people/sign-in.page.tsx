import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { signInMethods } from '../api/auth.ts'
import { AuthError } from '../api/send.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { AccountLayout } from './account-layout.tsx'
import { SignInForm } from './sign-in-form.tsx'

export function SignInPage() {
  const { t } = useTranslation('people')
  const { next, error } = useSearch({ from: '/sign-in' })
  const { data: methods } = useQuery(signInMethods())
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const goOn = async () => {
    queryClient.clear()
    await navigate({ href: safePath(next) })
  }
  const signUp = (
    <>
      {t('signIn.new')} <Link to="/sign-up">{t('signIn.signUp')}</Link>
    </>
  )
  // Nothing until it is known, so that people who may sign up do not read that they may not.
  const foot = methods && (methods.signUp ? signUp : t('signIn.closed'))
  return (
    <AccountLayout title={t('signIn.title')} foot={foot}>
      {error !== undefined && <ErrorNotice error={new AuthError({ code: error, message: error, status: 400 })} />}
      <SignInForm onSignedIn={() => void goOn()} next={safePath(next)} />
    </AccountLayout>
  )
}

/** Only a path of this app: otherwise a link to the sign-in page could send people to any site. */
function safePath(next: string | undefined): string {
  const isOwnPath = next !== undefined && next.startsWith('/') && !next.startsWith('//') && !/[\\\s]/.test(next)
  return isOwnPath ? next : '/'
}

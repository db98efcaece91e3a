import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { signInMethods } from '../api/auth.ts'
import { Notice } from '../ui/notice.tsx'
import { AccountLayout } from './account-layout.tsx'

/** After a link was mailed. It does not say whether there is an account with this address: the answer is the same for every address. */
export function MailSent({ title, email }: { title: string; email: string }) {
  const { t } = useTranslation('people')
  const { data: methods } = useQuery(signInMethods())
  return (
    <AccountLayout title={title} intro={t('mailSent.intro', { email })} foot={<Link to="/sign-in">{t('mailSent.back')}</Link>}>
      {methods?.mail === false ? (
        <Notice kind="warning" title={t('mailSent.noMailTitle')}>
          {t('mailSent.noMail')}
        </Notice>
      ) : (
        <p className="text-sm text-quiet">{t('mailSent.hint')}</p>
      )}
    </AccountLayout>
  )
}

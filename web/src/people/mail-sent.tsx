import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { signInMethods } from '../api/auth.ts'
import { CopyText } from '../ui/copy-text.tsx'
import { AccountLayout } from './account-layout.tsx'

/** After a link was asked for, which is mailed, or is in the log of a server that sends no mail. It does not say whether there is an account with this address: the answer is the same for every address. */
export function MailSent({ title, email }: { title: string; email: string }) {
  const { t } = useTranslation('people')
  const { data: methods } = useQuery(signInMethods())
  const back = <Link to="/sign-in">{t('mailSent.back')}</Link>
  if (methods?.mail === false)
    return (
      <AccountLayout title={t('mailSent.noMailTitle')} intro={t('mailSent.noMail')} foot={back}>
        <CopyText
          label={t('mailSent.command')}
          text={`carillon sign-in-link ${email}`}
          copyLabel={t('mailSent.copy')}
          copiedLabel={t('mailSent.copied')}
        />
        <p className="text-sm text-quiet">{t('mailSent.noMailHint')}</p>
      </AccountLayout>
    )
  return (
    <AccountLayout title={title} intro={t('mailSent.intro', { email })} foot={back}>
      <p className="text-sm text-quiet">{t('mailSent.hint')}</p>
    </AccountLayout>
  )
}

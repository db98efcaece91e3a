import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AccountLayout } from '../people/account-layout.tsx'
import { buttonLook } from '../ui/button.tsx'

export function NotFound() {
  const { t } = useTranslation('errors')
  return (
    <AccountLayout title={t('codes.route_not_found.title')} intro={t('codes.route_not_found.sentence')}>
      <Link to="/" className={buttonLook({ variant: 'primary' })}>
        {t('next.home')}
      </Link>
    </AccountLayout>
  )
}

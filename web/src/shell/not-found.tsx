import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { buttonLook } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export function NotFound() {
  const { t } = useTranslation('errors')
  return (
    <main className="mx-auto flex max-w-md flex-col items-start gap-5 px-4 py-20">
      <PageHeader title={t('codes.route_not_found.title')} description={t('codes.route_not_found.sentence')} />
      <Link to="/" className={buttonLook({ variant: 'primary' })}>
        {t('next.home')}
      </Link>
    </main>
  )
}

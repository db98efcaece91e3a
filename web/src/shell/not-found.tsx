import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function NotFound() {
  const { t } = useTranslation('errors')
  return (
    <EmptyState
      title={t('codes.route_not_found.title')}
      actions={
        <Link to="/" className={buttonLook({ variant: 'primary' })}>
          {t('next.home')}
        </Link>
      }
    />
  )
}

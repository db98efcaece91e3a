import { useTranslation } from 'react-i18next'
import { PageHeader } from '../ui/page-header.tsx'

export function IntegrationsPage() {
  const { t } = useTranslation('connections')
  return <PageHeader title={t('title')} />
}

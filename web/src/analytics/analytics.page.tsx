import { useTranslation } from 'react-i18next'
import { PageHeader } from '../ui/page-header.tsx'

export function AnalyticsPage() {
  const { t } = useTranslation('analytics')
  return <PageHeader title={t('title')} />
}

import { useTranslation } from 'react-i18next'
import { PageHeader } from '../ui/page-header.tsx'

export function MediaPage() {
  const { t } = useTranslation('media')
  return <PageHeader title={t('title')} />
}

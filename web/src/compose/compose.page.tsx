import { useTranslation } from 'react-i18next'
import { PageHeader } from '../ui/page-header.tsx'

export function ComposePage() {
  const { t } = useTranslation('compose')
  return <PageHeader title={t('title')} />
}

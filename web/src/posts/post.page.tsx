import { useTranslation } from 'react-i18next'
import { PageHeader } from '../ui/page-header.tsx'

export function PostPage() {
  const { t } = useTranslation('posts')
  return <PageHeader title={t('title')} />
}

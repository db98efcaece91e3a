import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'

/** Shown in place of a page that could not be loaded. The navigation around it stays. */
export function PageError({ error }: ErrorComponentProps) {
  const { t } = useTranslation('errors')
  const router = useRouter()
  const { reset } = useQueryErrorResetBoundary()
  useEffect(() => reset(), [reset])
  return (
    <div className="mx-auto flex max-w-xl flex-col gap-4 p-4">
      <PageHeader title={t('page.title')} />
      <ErrorNotice error={error} onRetry={() => void router.invalidate()} />
    </div>
  )
}

import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useAccess } from '../use-access.ts'
import type { WebhookPart } from './webhook-list.tsx'

type Props = {
  /** The part of the settings with the list. */
  part: WebhookPart
  query: { data: object | undefined; error: Error | null; refetch: () => unknown }
  /** Why Carillon switched it off. */
  disabledReason: string | null
  children: ReactNode
}

/** The page of one webhook: the way back to the list, what went wrong, and what is shown once it is loaded. */
export function WebhookFrame({ part, query, disabledReason, children }: Props) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const { data, error, refetch } = query
  return (
    <>
      <Link
        to="/w/$workspaceId/settings/$section"
        params={{ workspaceId, section: part }}
        search={{}}
        className="flex items-center gap-2 self-start"
      >
        <ArrowLeft aria-hidden className="size-[18px]" />
        {t('webhooks.back')}
      </Link>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines label={t('loading')} />}
      {disabledReason !== null && (
        <Notice kind="warning" title={t('webhooks.disabledTitle')}>
          {disabledReason}
        </Notice>
      )}
      {children}
    </>
  )
}

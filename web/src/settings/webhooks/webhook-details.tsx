import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { webhooksGet } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useAccess } from '../use-access.ts'
import { DeliveriesGroup } from './deliveries-group.tsx'
import { OfAccountGroup } from './of-account-group.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'

export function WebhookDetails({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation('settings')
  const { workspaceId, isAdmin } = useAccess()
  const { data: webhook, error, refetch } = useQuery(webhooksGet(workspaceId, webhookId))
  return (
    <>
      <Link
        to="/w/$workspaceId/settings/$section"
        params={{ workspaceId, section: 'webhooks' }}
        search={{}}
        className="flex items-center gap-2 self-start"
      >
        <ArrowLeft aria-hidden className="size-[18px]" />
        {t('webhooks.back')}
      </Link>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!webhook && !error && <SkeletonLines label={t('loading')} />}
      {webhook && (
        <>
          {webhook.disabledReason !== null && !webhook.account?.isShutOut && (
            <Notice kind="warning" title={t('webhooks.disabledTitle')}>
              {webhook.disabledReason}
            </Notice>
          )}
          {webhook.account ? (
            <OfAccountGroup webhook={webhook} account={webhook.account} />
          ) : (
            <>
              <WebhookForm key={webhook.updatedAt} webhook={webhook} canChange={isAdmin} />
              {isAdmin && <WebhookActions webhook={webhook} />}
            </>
          )}
          <DeliveriesGroup webhookId={webhookId} canChange={isAdmin} />
        </>
      )}
    </>
  )
}

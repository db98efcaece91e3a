import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { carillon } from '../../api/client.ts'
import { webhooksGet } from '../../api/queries.gen.ts'
import { useAccess } from '../use-access.ts'
import { DeliveriesGroup } from './deliveries-group.tsx'
import { OfAccountGroup } from './of-account-group.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookFrame } from './webhook-frame.tsx'

/** A webhook of the workspace, or of a member's account as the workspace sees it. */
export function WebhookDetails({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation('settings')
  const { workspaceId, isAdmin } = useAccess()
  const query = useQuery(webhooksGet(workspaceId, webhookId))
  const { data: webhook } = query
  const listKey = ['webhooks.list', workspaceId]
  return (
    <WebhookFrame
      part="webhooks"
      query={query}
      disabledReason={webhook && !webhook.account?.isShutOut ? webhook.disabledReason : null}
    >
      {webhook?.account && <OfAccountGroup webhook={webhook} account={webhook.account} />}
      {webhook && !webhook.account && (
        <WebhookForm
          key={webhook.updatedAt}
          webhook={webhook}
          canChange={isAdmin}
          save={(change) => carillon.webhooks.update(webhookId, change, { workspaceId })}
          affects={[['webhooks.get', workspaceId, webhookId], listKey]}
        />
      )}
      {webhook && !webhook.account && isAdmin && (
        <WebhookActions
          part="webhooks"
          rotate={() => carillon.webhooks.rotateSecret(webhookId, { workspaceId })}
          remove={() => carillon.webhooks.remove(webhookId, { workspaceId })}
          removeConsequence={t('webhooks.removeConsequence')}
          affects={[listKey]}
        />
      )}
      {webhook && (
        <DeliveriesGroup
          webhookId={webhookId}
          workspaceId={workspaceId}
          canChange={isAdmin}
          sendTest={() => carillon.webhooks.test(webhookId, { workspaceId })}
        />
      )}
    </WebhookFrame>
  )
}

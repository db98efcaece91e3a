import { roleAllows } from '@carillon/core'
import type { AccountWebhook } from '@carillon/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { carillon } from '../../api/client.ts'
import { accountWebhooksGet, workspacesList } from '../../api/queries.gen.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { DeliveriesGroup } from './deliveries-group.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookFrame } from './webhook-frame.tsx'

/** A webhook of the person's account. Its deliveries are shown of one workspace at a time, because that is how they are stored. */
export function MyWebhookDetails({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation('settings')
  const query = useQuery(accountWebhooksGet(webhookId))
  const { data: webhook } = query
  // The lists of the workspaces name it too.
  const affects = [['accountWebhooks.get', webhookId], ['accountWebhooks.list'], ['webhooks.get'], ['webhooks.list']]
  return (
    <WebhookFrame part="my-webhooks" query={query} disabledReason={webhook?.disabledReason ?? null}>
      {webhook && (
        <>
          <WebhookForm
            key={webhook.updatedAt}
            webhook={webhook}
            canChange
            save={(change) => carillon.accountWebhooks.update(webhookId, change)}
            affects={affects}
          />
          <WebhookActions
            part="my-webhooks"
            rotate={() => carillon.accountWebhooks.rotateSecret(webhookId)}
            remove={() => carillon.accountWebhooks.remove(webhookId)}
            removeConsequence={t('myWebhooks.removeConsequence')}
            affects={affects.slice(1)}
          />
          <MyDeliveries webhook={webhook} />
        </>
      )}
    </WebhookFrame>
  )
}

function MyDeliveries({ webhook: { id, shutOut } }: { webhook: AccountWebhook }) {
  const { t } = useTranslation('settings')
  const { workspaceId: shown } = useAccess()
  const { data: workspaces } = useSuspenseQuery(workspacesList())
  const [chosen, setChosen] = useState(shown)
  const receiving = workspaces.filter(
    (workspace) => roleAllows(workspace.role, 'admin') && shutOut.every(({ workspaceId }) => workspaceId !== workspace.id),
  )
  const from = receiving.find((workspace) => workspace.id === chosen) ?? receiving[0]
  if (!from)
    return (
      <SettingGroup title={t('deliveries.title')}>
        <p className="max-w-[68ch] text-quiet">{t('myWebhooks.receivesNothing')}</p>
      </SettingGroup>
    )
  const workspaceId = from.id
  return (
    <DeliveriesGroup
      key={workspaceId}
      webhookId={id}
      workspaceId={workspaceId}
      canChange
      sendTest={() => carillon.accountWebhooks.test(id, { workspaceId })}
    >
      {receiving.length > 1 && (
        <Field label={t('myWebhooks.fromWorkspace')} className="max-w-sm">
          <Select
            value={workspaceId}
            onChange={setChosen}
            options={receiving.map((workspace) => ({ value: workspace.id, label: workspace.name }))}
          />
        </Field>
      )}
    </DeliveriesGroup>
  )
}

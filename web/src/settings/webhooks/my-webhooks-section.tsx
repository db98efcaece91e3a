import { roleAllows } from '@carillon/core'
import type { AccountWebhook } from '@carillon/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { carillon } from '../../api/client.ts'
import { accountWebhooksGet, accountWebhooksList, workspacesList } from '../../api/queries.gen.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { DeliveriesGroup } from './deliveries-group.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookFrame } from './webhook-frame.tsx'
import { WebhookList } from './webhook-list.tsx'

/** The webhooks of the person's account, which receive the events of all their workspaces, or the one that the address names. */
export function MyWebhooksSection() {
  const { webhook } = useSearch({ strict: false })
  return webhook === undefined ? <MyList /> : <MyWebhookDetails webhookId={webhook} />
}

function MyList() {
  const { t } = useTranslation('settings')
  return (
    <WebhookList
      part="my-webhooks"
      query={useQuery(accountWebhooksList())}
      text={t('myWebhooks.text')}
      emptyHint={t('myWebhooks.emptyHint')}
      canAdd
      notes={({ workspaces, shutOut }) => ({
        inLine: t('myWebhooks.workspaces', { count: workspaces }),
        below: shutOut.length > 0 ? t('myWebhooks.shutOut', { names: shutOut.map(({ name }) => name).join(', ') }) : undefined,
      })}
      create={({ url, events }) => carillon.accountWebhooks.create({ url, events })}
      listKey={['accountWebhooks.list']}
    />
  )
}

/** A webhook of the person's account. Its deliveries are shown of one workspace at a time, because that is how they are stored. */
function MyWebhookDetails({ webhookId }: { webhookId: string }) {
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

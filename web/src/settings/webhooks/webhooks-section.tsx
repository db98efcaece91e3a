import type { Webhook } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { webhooksGet, webhooksList } from '../../api/queries.gen.ts'
import { usePlatformName } from '../../connections/use-start-connect.ts'
import { Switch } from '../../ui/form/switch.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { DeliveriesGroup } from './deliveries-group.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookFrame } from './webhook-frame.tsx'
import { WebhookList } from './webhook-list.tsx'

/** The list of webhooks, or the one that the address names. */
export function WebhooksSection() {
  const { webhook } = useSearch({ strict: false })
  return webhook === undefined ? <WorkspaceList /> : <WebhookDetails webhookId={webhook} />
}

function WorkspaceList() {
  const { t } = useTranslation('settings')
  const { workspaceId, isAdmin } = useAccess()
  const nameOf = usePlatformName()
  return (
    <WebhookList
      part="webhooks"
      query={useQuery(webhooksList(workspaceId))}
      text={t('webhooks.text')}
      emptyHint={t('webhooks.emptyHint')}
      canAdd={isAdmin}
      notes={({ account, format }) => {
        if (account) return { inLine: t('webhooks.ofAccount', { name: account.name }) }
        return format === undefined ? {} : { inLine: t('webhooks.inChat', { name: nameOf(format) }) }
      }}
      test={(id) => carillon.webhooks.test(id, { workspaceId })}
      create={(webhook) => carillon.webhooks.create(webhook, { workspaceId })}
      listKey={['webhooks.list', workspaceId]}
    />
  )
}

/** A webhook of the workspace, or of a member's account as the workspace sees it. */
function WebhookDetails({ webhookId }: { webhookId: string }) {
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
          {...(webhook.format === undefined && {
            rotate: () => carillon.webhooks.rotateSecret(webhookId, { workspaceId }).then(withSecret),
          })}
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

/** Only a chat has no secret. */
function withSecret({ secret }: Webhook): { secret: string } {
  return { secret: secret ?? '' }
}

type Props = { webhook: Webhook; account: NonNullable<Webhook['account']> }

/** The webhook of a member's account: whose it is, what it receives, and whether the workspace sends it anything. */
function OfAccountGroup({ webhook, account }: Props) {
  const { t } = useTranslation('settings')
  const { workspaceId, isOwner } = useAccess()
  const { mutate } = useChange({
    run: (active: boolean) => carillon.webhooks.update(webhook.id, { active }, { workspaceId }),
    affects: () => [
      ['webhooks.get', workspaceId],
      ['webhooks.list', workspaceId],
    ],
    done: () => ({ title: t('saved') }),
  })
  return (
    <SettingGroup title={webhook.url} description={t('webhooks.ofAccountText', { name: account.name, email: account.email })}>
      <Switch
        label={t('webhooks.allowAccount', { name: account.name })}
        note={t('webhooks.allowAccountNote')}
        checked={!account.isShutOut}
        disabled={!isOwner}
        onChange={(active) => mutate(active)}
      />
      <p className="text-sm text-quiet">{webhook.events.join(', ')}</p>
    </SettingGroup>
  )
}

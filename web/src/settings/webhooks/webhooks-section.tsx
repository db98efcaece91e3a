import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { carillon } from '../../api/client.ts'
import { webhooksList } from '../../api/queries.gen.ts'
import { useAccess } from '../use-access.ts'
import { WebhookDetails } from './webhook-details.tsx'
import { WebhookList } from './webhook-list.tsx'

/** The list of webhooks, or the one that the address names. */
export function WebhooksSection() {
  const { webhook } = useSearch({ strict: false })
  return webhook === undefined ? <WorkspaceList /> : <WebhookDetails webhookId={webhook} />
}

function WorkspaceList() {
  const { t } = useTranslation('settings')
  const { workspaceId, isAdmin } = useAccess()
  return (
    <WebhookList
      part="webhooks"
      query={useQuery(webhooksList(workspaceId))}
      text={t('webhooks.text')}
      emptyHint={t('webhooks.emptyHint')}
      canAdd={isAdmin}
      notes={({ account }) => (account ? { inLine: t('webhooks.ofAccount', { name: account.name }) } : {})}
      create={(webhook) => carillon.webhooks.create(webhook, { workspaceId })}
      listKey={['webhooks.list', workspaceId]}
    />
  )
}

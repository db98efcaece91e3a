import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { carillon } from '../../api/client.ts'
import { webhooksList } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useAccess } from '../use-access.ts'
import { NewWebhookDialog } from './new-webhook-dialog.tsx'
import { WebhookDetails } from './webhook-details.tsx'

/** The list of webhooks, or the one that the address names. */
export function WebhooksSection() {
  const { webhook } = useSearch({ strict: false })
  return webhook === undefined ? <WebhookList /> : <WebhookDetails webhookId={webhook} />
}

function WebhookList() {
  const { t } = useTranslation('settings')
  const { workspaceId, isAdmin } = useAccess()
  const { data: webhooks, error, refetch } = useQuery(webhooksList(workspaceId))
  const [isAdding, setIsAdding] = useState(false)
  const addButton = isAdmin && (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('webhooks.add')}
    </Button>
  )
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-[68ch] text-quiet">{t('webhooks.text')}</p>
        {webhooks && webhooks.length > 0 && addButton}
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!webhooks && !error && <SkeletonLines label={t('loading')} />}
      {webhooks?.length === 0 && (
        <EmptyState icon={<WebhookIcon aria-hidden />} title={t('webhooks.empty')} actions={addButton}>
          {t('webhooks.emptyHint')}
        </EmptyState>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className="rounded-card border border-line bg-surface">
          {webhooks.map(({ id, url, events, active, disabledReason, account }) => (
            <li
              key={id}
              className="relative flex flex-wrap items-center gap-3 border-b border-line p-4 last:border-b-0 hover:bg-hover"
            >
              <div className="min-w-0 flex-1 basis-56">
                <Link
                  to="/w/$workspaceId/settings/$section"
                  params={{ workspaceId, section: 'webhooks' }}
                  search={{ webhook: id }}
                  className="block truncate font-medium text-ink no-underline after:absolute after:inset-0 after:content-['']"
                >
                  {url}
                </Link>
                <p className="text-sm text-quiet">
                  {t('webhooks.events', { count: events.length })}
                  {account && ` · ${t('webhooks.ofAccount', { name: account.name })}`}
                </p>
              </div>
              <WebhookState isActive={active} isDisabled={disabledReason !== null} />
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <NewWebhookDialog
          create={(webhook) => carillon.webhooks.create(webhook, { workspaceId })}
          listKey={['webhooks.list', workspaceId]}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  )
}

export function WebhookState({ isActive, isDisabled }: { isActive: boolean; isDisabled: boolean }) {
  const { t } = useTranslation('settings')
  if (isActive) return <Badge tone="verdigris">{t('webhooks.active')}</Badge>
  return <Badge tone={isDisabled ? 'rust' : 'neutral'}>{isDisabled ? t('webhooks.disabled') : t('webhooks.paused')}</Badge>
}

import type { Webhook } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useAccess } from '../use-access.ts'
import { NewWebhookDialog } from './new-webhook-dialog.tsx'

/** What the pages about a webhook need of it, whether it belongs to the workspace or to the person's account. */
export type ShownWebhook = Pick<Webhook, 'id' | 'url' | 'events' | 'active' | 'disabledReason' | 'format'>

export type WebhookPart = 'webhooks' | 'my-webhooks'

type Props<Listed extends ShownWebhook> = Pick<ComponentProps<typeof NewWebhookDialog>, 'create' | 'listKey' | 'test'> & {
  /** The part of the settings, for the links. */
  part: WebhookPart
  query: { data: readonly Listed[] | undefined; error: Error | null; refetch: () => unknown }
  text: string
  emptyHint: string
  canAdd: boolean
  /** Lines below the address, beside the number of events. */
  notes: (webhook: Listed) => { inLine?: string | undefined; below?: string | undefined }
}

/** The webhooks of a workspace or of an account, each a link to its page. */
export function WebhookList<Listed extends ShownWebhook>(props: Props<Listed>) {
  const { part, query, text, emptyHint, canAdd, notes, create, listKey, test } = props
  const { data: webhooks, error, refetch } = query
  const { t } = useTranslation('settings')
  const [isAdding, setIsAdding] = useState(false)
  const addButton = canAdd && (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('webhooks.add')}
    </Button>
  )
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-[68ch] text-quiet">{text}</p>
        {webhooks && webhooks.length > 0 && addButton}
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!webhooks && !error && <SkeletonLines label={t('loading')} />}
      {webhooks?.length === 0 && (
        <EmptyState icon={<WebhookIcon aria-hidden />} title={t('webhooks.empty')} actions={addButton}>
          {emptyHint}
        </EmptyState>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className="rounded-card border border-line bg-surface">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} part={part} webhook={webhook} {...notes(webhook)} />
          ))}
        </ul>
      )}
      {isAdding && (
        <NewWebhookDialog create={create} listKey={listKey} {...(test && { test })} onClose={() => setIsAdding(false)} />
      )}
    </>
  )
}

type RowProps = { part: WebhookPart; webhook: ShownWebhook; inLine?: string | undefined; below?: string | undefined }

function WebhookRow({ part, webhook, inLine, below }: RowProps) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const { id, url, events, active, disabledReason } = webhook
  return (
    <li className="relative flex flex-wrap items-center gap-3 border-b border-line p-4 last:border-b-0 hover:bg-hover">
      <div className="min-w-0 flex-1 basis-56">
        <Link
          to="/w/$workspaceId/settings/$section"
          params={{ workspaceId, section: part }}
          search={{ webhook: id }}
          className="block truncate font-medium text-ink no-underline after:absolute after:inset-0 after:content-['']"
        >
          {url}
        </Link>
        <p className="text-sm text-quiet">
          {t('webhooks.events', { count: events.length })}
          {inLine !== undefined && ` · ${inLine}`}
        </p>
        {below !== undefined && <p className="text-sm text-quiet">{below}</p>}
      </div>
      <WebhookState isActive={active} isDisabled={disabledReason !== null} />
    </li>
  )
}

function WebhookState({ isActive, isDisabled }: { isActive: boolean; isDisabled: boolean }) {
  const { t } = useTranslation('settings')
  if (isActive) return <Badge tone="verdigris">{t('webhooks.active')}</Badge>
  return <Badge tone={isDisabled ? 'rust' : 'neutral'}>{isDisabled ? t('webhooks.disabled') : t('webhooks.paused')}</Badge>
}

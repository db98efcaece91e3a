import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { accountWebhooksList } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { NewWebhookDialog } from './new-webhook-dialog.tsx'
import { WebhookState } from './webhooks-section.tsx'

/** The webhooks of the person's account, which receive the events of all their workspaces. */
export function MyWebhooksSection() {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { data: webhooks, error, refetch } = useQuery(accountWebhooksList())
  const [isAdding, setIsAdding] = useState(false)
  const [asked, setAsked] = useState<string | null>(null)
  const { mutate: remove, isPending } = useChange({
    run: (id: string) => carillon.accountWebhooks.remove(id),
    affects: () => [['accountWebhooks.list'], ['webhooks.list']],
    done: () => ({ title: t('webhooks.removed') }),
    onDone: () => setAsked(null),
  })
  const addButton = (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('webhooks.add')}
    </Button>
  )
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-[68ch] text-quiet">{t('myWebhooks.text')}</p>
        {webhooks && webhooks.length > 0 && addButton}
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!webhooks && !error && <SkeletonLines label={t('loading')} />}
      {webhooks?.length === 0 && (
        <EmptyState icon={<WebhookIcon aria-hidden />} title={t('webhooks.empty')} actions={addButton}>
          {t('myWebhooks.emptyHint')}
        </EmptyState>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className="rounded-card border border-line bg-surface">
          {webhooks.map(({ id, url, events, active, disabledReason, workspaces, shutOut }) => (
            <li key={id} className="flex flex-wrap items-center gap-3 border-b border-line p-4 last:border-b-0">
              <div className="min-w-0 flex-1 basis-56">
                <p className="truncate font-medium">{url}</p>
                <p className="text-sm text-quiet">
                  {t('webhooks.events', { count: events.length })} · {t('myWebhooks.workspaces', { count: workspaces })}
                </p>
                {disabledReason !== null && <p className="text-sm text-quiet">{disabledReason}</p>}
                {shutOut.length > 0 && (
                  <p className="text-sm text-quiet">
                    {t('myWebhooks.shutOut', { names: shutOut.map(({ name }) => name).join(', ') })}
                  </p>
                )}
              </div>
              <WebhookState isActive={active} isDisabled={disabledReason !== null} />
              <Button size="sm" aria-label={t('myWebhooks.removeOne', { url })} onClick={() => setAsked(id)}>
                {t('webhooks.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={t('webhooks.askRemove')}
        description={t('myWebhooks.removeConsequence')}
        cancelLabel={shell('cancel')}
        confirmLabel={t('webhooks.remove')}
        isDangerous
        isBusy={isPending}
        onConfirm={() => asked !== null && remove(asked)}
      />
      {isAdding && (
        <NewWebhookDialog
          create={(webhook) => carillon.accountWebhooks.create(webhook)}
          listKey={['accountWebhooks.list']}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { webhooksDeliveries } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { DeliveryRow } from './delivery-row.tsx'

const pollMs = 2000

type Props = {
  webhookId: string
  /** The workspace whose events were sent. */
  workspaceId: string
  canChange: boolean
  sendTest: () => Promise<unknown>
  /** Shown above the list. */
  children?: ReactNode
}

/** What was sent to the webhook, with the answers. While one is under way, the list is read again every two seconds. */
export function DeliveriesGroup({ webhookId, workspaceId, canChange, children, ...actions }: Props) {
  const { t } = useTranslation('settings')
  const {
    data: deliveries,
    error,
    refetch,
  } = useQuery({
    ...webhooksDeliveries(workspaceId, webhookId),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? pollMs : false),
  })
  const queryClient = useQueryClient()
  const isWaiting = deliveries?.some(({ status }) => status === 'pending')
  // An answer can switch the webhook off. It may belong to the workspace or to an account.
  useEffect(() => {
    if (isWaiting !== false) return
    void queryClient.invalidateQueries({ queryKey: ['webhooks.get', workspaceId, webhookId] })
    void queryClient.invalidateQueries({ queryKey: ['accountWebhooks.get', webhookId] })
  }, [isWaiting, queryClient, workspaceId, webhookId])
  const affects = () => [['webhooks.deliveries', workspaceId, webhookId]]
  const { mutate: sendTest, isPending: isTesting } = useChange({
    run: actions.sendTest,
    affects,
    done: () => ({ title: t('deliveries.testSent') }),
  })
  const { mutate: redeliver } = useChange({
    run: (deliveryId: string) => carillon.webhooks.redeliver(webhookId, deliveryId, { workspaceId }),
    affects,
    done: () => ({ title: t('deliveries.again') }),
  })
  return (
    <SettingGroup
      title={t('deliveries.title')}
      description={t('deliveries.text')}
      actions={
        canChange && (
          <Button isBusy={isTesting} onClick={() => sendTest(undefined)}>
            {t('deliveries.test')}
          </Button>
        )
      }
    >
      {children}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!deliveries && !error && <SkeletonLines label={t('loading')} />}
      {deliveries?.length === 0 && <p className="text-quiet">{t('deliveries.empty')}</p>}
      {deliveries && deliveries.length > 0 && (
        <ul aria-label={t('deliveries.title')} className="rounded-card border border-line bg-surface">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              {...(canChange && { onRedeliver: () => redeliver(delivery.id) })}
            />
          ))}
        </ul>
      )}
    </SettingGroup>
  )
}

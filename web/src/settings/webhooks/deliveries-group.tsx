import type { Delivery } from '@carillon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronRight, CircleAlert, CircleCheck, Clock, RotateCw } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { webhooksDeliveries } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { formatTime } from '../../time/format-time.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { SettingGroup } from '../setting-group.tsx'

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

const looks: Readonly<Record<Delivery['status'], { tone: Tone; icon: ReactNode }>> = {
  pending: { tone: 'dusk', icon: <Clock aria-hidden /> },
  delivered: { tone: 'verdigris', icon: <CircleCheck aria-hidden /> },
  failed: { tone: 'rust', icon: <CircleAlert aria-hidden /> },
}

/** One delivery. Opened, it shows what was sent and what came back. */
function DeliveryRow({ delivery, onRedeliver }: { delivery: Delivery; onRedeliver?: () => void }) {
  const { t } = useTranslation('settings')
  const style = useTimeStyle()
  const { status, event, statusCode, attempts, durationMs, createdAt, nextAttemptAt } = delivery
  const { tone, icon } = looks[status]
  return (
    <li className="border-b border-line last:border-b-0">
      <details className="group">
        <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-hover">
          <ChevronRight aria-hidden className="size-4 shrink-0 text-faint transition-transform group-open:rotate-90" />
          <Badge tone={tone} icon={icon}>
            {t(`deliveries.status.${status}`)}
          </Badge>
          <span className="min-w-0 flex-1 basis-40 truncate font-mono text-sm">{event}</span>
          <span className="figures text-sm text-quiet">
            {statusCode > 0 ? statusCode : t('deliveries.noAnswer')} · {formatTime(createdAt, 'dayAndTime', style)}
          </span>
        </summary>
        <div className="flex flex-col gap-3 border-t border-line bg-sunken px-4 py-3">
          <p className="figures text-sm text-quiet">
            {t('deliveries.attempts', { count: attempts })}
            {durationMs !== null && ` · ${t('deliveries.duration', { ms: durationMs })}`}
            {nextAttemptAt !== null &&
              status === 'pending' &&
              ` · ${t('deliveries.next', { time: formatTime(nextAttemptAt, 'dayAndTime', style) })}`}
          </p>
          <Code label={t('deliveries.request')} text={indent(delivery.requestBody)} />
          {/* Only those who can deliver again are shown what the receiver answered. */}
          {onRedeliver && <Code label={t('deliveries.response')} text={delivery.responseBody || t('deliveries.noBody')} />}
          {onRedeliver && (
            <Button size="sm" className="self-start" icon={<RotateCw aria-hidden />} onClick={onRedeliver}>
              {t('deliveries.redeliver')}
            </Button>
          )}
        </div>
      </details>
    </li>
  )
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 text-sm font-medium">{label}</figcaption>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
        tabIndex={0}
        aria-label={label}
        className="max-h-64 overflow-auto rounded-control border border-line bg-surface p-3 text-xs"
      >
        {text}
      </pre>
    </figure>
  )
}

function indent(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

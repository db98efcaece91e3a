import type { Delivery } from '@carillon/sdk'
import { ChevronRight, CircleAlert, CircleCheck, Clock, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../time/format-time.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'

const looks: Readonly<Record<Delivery['status'], { tone: Tone; icon: ReactNode }>> = {
  pending: { tone: 'dusk', icon: <Clock aria-hidden /> },
  delivered: { tone: 'verdigris', icon: <CircleCheck aria-hidden /> },
  failed: { tone: 'rust', icon: <CircleAlert aria-hidden /> },
}

/** One delivery. Opened, it shows what was sent and what came back. */
export function DeliveryRow({ delivery, onRedeliver }: { delivery: Delivery; onRedeliver?: () => void }) {
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

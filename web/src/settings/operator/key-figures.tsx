import { useTranslation } from 'react-i18next'
import type { HourOfSends, QueueFigures } from '../../api/operator.ts'
import { formatDuration } from '../../time/format-duration.ts'
import { formatNumber } from '../../time/format-number.ts'

/** The few figures that say whether posts go out on time. */
export function KeyFigures({ queues, total }: { queues: QueueFigures; total: HourOfSends | null }) {
  const { t, i18n } = useTranslation('operator')
  const time = (seconds: number | null | undefined) => (seconds == null ? '–' : formatDuration(seconds, i18n.language))
  const number = (value: number) => formatNumber(value, i18n.language)
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-5 md:grid-cols-3 xl:grid-cols-5">
      <Figure
        label={t('figures.oldest')}
        value={time(queues.oldestOverdueSeconds)}
        note={t('figures.overdue', { count: queues.overdue, number: number(queues.overdue) })}
      />
      <Figure label={t('figures.late95')} value={time(total?.p95)} note={t('figures.ofDay')} />
      <Figure label={t('figures.late99')} value={time(total?.p99)} note={t('figures.ofDay')} />
      <Figure
        label={t('figures.inProgress')}
        value={number(queues.inProgress)}
        note={t('figures.stuck', { count: queues.stuck, number: number(queues.stuck) })}
      />
      <Figure label={t('figures.heartbeat')} value={time(queues.heartbeatAgeSeconds)} note={t('figures.heartbeatNote')} />
    </dl>
  )
}

function Figure({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1 border-l-2 border-line py-1 pl-4">
      <dt className="text-sm text-quiet">{label}</dt>
      <dd className="flex flex-col">
        <span className="figures text-2xl font-medium">{value}</span>
        <span className="text-sm text-quiet">{note}</span>
      </dd>
    </div>
  )
}

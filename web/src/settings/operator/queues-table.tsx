import { useTranslation } from 'react-i18next'
import type { QueueFigures } from '../../api/operator.ts'
import { formatDuration } from '../../time/format-duration.ts'
import { formatNumber } from '../../time/format-number.ts'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'

type QueueRow = {
  name: 'posts' | 'events' | 'deliveries' | 'mails'
  waiting: number
  inProgress: number | null
  oldest: number | null
}

/** What waits, how much of it is being done, and since when the oldest waits. */
export function QueuesTable({ queues }: { queues: QueueFigures }) {
  const { t, i18n } = useTranslation('operator')
  const number = (value: number | null) => (value === null ? '–' : formatNumber(value, i18n.language))
  const time = (seconds: number | null) => (seconds === null ? '–' : formatDuration(seconds, i18n.language))
  const rows: QueueRow[] = [
    { name: 'posts', waiting: queues.overdue, inProgress: queues.inProgress, oldest: queues.oldestOverdueSeconds },
    { name: 'events', waiting: queues.eventsWaiting, inProgress: null, oldest: queues.eventsOldestSeconds },
    { name: 'deliveries', waiting: queues.deliveriesWaiting, inProgress: queues.deliveriesInProgress, oldest: null },
    { name: 'mails', waiting: queues.mailsWaiting, inProgress: null, oldest: queues.mailsOldestSeconds },
  ]
  return (
    <Table label={t('queues.title')}>
      <thead>
        <tr>
          <HeadCell>{t('queues.name')}</HeadCell>
          <HeadCell className="text-right">{t('queues.waiting')}</HeadCell>
          <HeadCell className="text-right">{t('queues.inProgress')}</HeadCell>
          <HeadCell className="text-right">{t('queues.oldest')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, waiting, inProgress, oldest }) => (
          <tr key={name}>
            <Cell>{t(`queues.names.${name}`)}</Cell>
            <Cell className="figures text-right">{number(waiting)}</Cell>
            <Cell className="figures text-right">{number(inProgress)}</Cell>
            <Cell className="figures text-right whitespace-nowrap">{time(oldest)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

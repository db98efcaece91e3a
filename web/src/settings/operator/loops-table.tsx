import { CircleAlert, CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ChoreFigures, LoopFigures } from '../../api/operator.ts'
import type words from '../../i18n/en/operator.json'
import { formatDuration, formatNumber } from '../../time/format-number.ts'
import { Badge } from '../../ui/badge.tsx'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'

type LoopWord = keyof (typeof words)['loops']['names']
type ChoreWord = keyof (typeof words)['chores']['names']

/** The tasks that a worker repeats: when each last succeeded, and how long that may take. */
export function LoopsTable({ loops }: { loops: readonly LoopFigures[] }) {
  const { t, i18n } = useTranslation('operator')
  const time = (seconds: number) => formatDuration(seconds, i18n.language)
  // A newer server may have a task that this page has no words for; then its name is shown.
  const say = (name: string) => t(`loops.names.${name.replaceAll(' ', '_') as LoopWord}`, { defaultValue: name })
  return (
    <Table label={t('loops.title')}>
      <thead>
        <tr>
          <HeadCell>{t('loops.name')}</HeadCell>
          <HeadCell>{t('loops.state')}</HeadCell>
          <HeadCell className="text-right">{t('loops.age')}</HeadCell>
          <HeadCell className="text-right">{t('loops.allowed')}</HeadCell>
          <HeadCell className="text-right">{t('loops.failed')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {loops.map(({ name, ageSeconds, allowedSeconds, failedPasses }) => (
          <tr key={name}>
            <Cell className="min-w-52">{say(name)}</Cell>
            <Cell>
              <StateBadge isStopped={ageSeconds > allowedSeconds} />
            </Cell>
            <Cell className="figures text-right whitespace-nowrap">{time(ageSeconds)}</Cell>
            <Cell className="figures text-right whitespace-nowrap text-quiet">{time(allowedSeconds)}</Cell>
            <Cell className="figures text-right">{formatNumber(failedPasses, i18n.language)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The tasks that the engine repeats for the whole installation, and their last and next passes. */
export function ChoresTable({ chores }: { chores: readonly ChoreFigures[] }) {
  const { t, i18n } = useTranslation('operator')
  const time = (seconds: number) => formatDuration(seconds, i18n.language)
  const say = (name: string) => t(`chores.names.${name.replaceAll(' ', '_') as ChoreWord}`, { defaultValue: name })
  return (
    <Table label={t('chores.title')}>
      <thead>
        <tr>
          <HeadCell>{t('loops.name')}</HeadCell>
          <HeadCell>{t('loops.state')}</HeadCell>
          <HeadCell className="text-right">{t('loops.age')}</HeadCell>
          <HeadCell className="text-right">{t('loops.allowed')}</HeadCell>
          <HeadCell className="text-right">{t('chores.duration')}</HeadCell>
          <HeadCell className="text-right">{t('chores.next')}</HeadCell>
          <HeadCell className="text-right">{t('loops.failed')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {chores.map(({ name, ageSeconds, allowedSeconds, durationSeconds, nextSeconds, failedPasses }) => (
          <tr key={name}>
            <Cell className="min-w-52">{say(name)}</Cell>
            <Cell>
              <StateBadge isStopped={ageSeconds > allowedSeconds} />
            </Cell>
            <Cell className="figures text-right whitespace-nowrap">{time(ageSeconds)}</Cell>
            <Cell className="figures text-right whitespace-nowrap text-quiet">{time(allowedSeconds)}</Cell>
            <Cell className="figures text-right whitespace-nowrap">{time(durationSeconds)}</Cell>
            <Cell className="figures text-right whitespace-nowrap">{nextSeconds > 0 ? time(nextSeconds) : t('chores.now')}</Cell>
            <Cell className="figures text-right">{formatNumber(failedPasses, i18n.language)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function StateBadge({ isStopped }: { isStopped: boolean }) {
  const { t } = useTranslation('operator')
  return isStopped ? (
    <Badge tone="rust" icon={<CircleAlert aria-hidden />}>
      {t('loops.stopped')}
    </Badge>
  ) : (
    <Badge tone="verdigris" icon={<CircleCheck aria-hidden />}>
      {t('loops.running')}
    </Badge>
  )
}

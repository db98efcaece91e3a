import { CircleAlert, CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { LoopFigures } from '../../api/operator.ts'
import type words from '../../i18n/en/operator.json'
import { formatDuration, formatNumber } from '../../time/format-number.ts'
import { Badge } from '../../ui/badge.tsx'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'

type LoopWord = keyof (typeof words)['loops']['names']

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
              {ageSeconds > allowedSeconds ? (
                <Badge tone="rust" icon={<CircleAlert aria-hidden />}>
                  {t('loops.stopped')}
                </Badge>
              ) : (
                <Badge tone="verdigris" icon={<CircleCheck aria-hidden />}>
                  {t('loops.running')}
                </Badge>
              )}
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

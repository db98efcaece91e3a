import { useTranslation } from 'react-i18next'
import type { OperatorPlatform, PlatformOutcome } from '../../api/operator.ts'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { usePlatformName } from '../../connections/use-start-connect.ts'
import { formatNumber } from '../../time/format-number.ts'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'

const outcomes = ['published', 'failed', 'unconfirmed'] as const
const fills = { published: 'bg-verdigris', failed: 'bg-rust', unconfirmed: 'bg-plum' } as const

/** What became of the posts of the last 24 hours, by platform and error code. */
export function OutcomesTable({ platforms }: { platforms: readonly OperatorPlatform[] }) {
  const { t, i18n } = useTranslation('operator')
  const nameOf = usePlatformName()
  const number = (value: number) => formatNumber(value, i18n.language)
  const rows = platforms.filter((each) => each.outcomes.length > 0)
  if (rows.length === 0) return <p className="text-quiet">{t('outcomes.empty')}</p>
  return (
    <Table label={t('outcomes.title')}>
      <thead>
        <tr>
          <HeadCell>{t('platform')}</HeadCell>
          {outcomes.map((outcome) => (
            <HeadCell key={outcome} className="text-right">
              {t(`outcomes.${outcome}`)}
            </HeadCell>
          ))}
          <HeadCell>{t('outcomes.share')}</HeadCell>
          <HeadCell>{t('outcomes.codes')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ platform, outcomes: counts }) => (
          <tr key={platform}>
            <Cell>
              <span className="flex items-center gap-2">
                <PlatformMark platform={platform} className="size-4" />
                {nameOf(platform)}
              </span>
            </Cell>
            {outcomes.map((outcome) => (
              <Cell key={outcome} className="figures text-right">
                {number(sumOf(counts, outcome))}
              </Cell>
            ))}
            <Cell>
              <ShareBar counts={counts} />
            </Cell>
            <Cell className="min-w-52">
              <Codes counts={counts} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function sumOf(counts: readonly PlatformOutcome[], outcome: PlatformOutcome['outcome']): number {
  return counts.filter((each) => each.outcome === outcome).reduce((sum, each) => sum + each.number, 0)
}

/** The same numbers as a bar. It is hidden from screen readers, which read the numbers. */
function ShareBar({ counts }: { counts: readonly PlatformOutcome[] }) {
  return (
    <span aria-hidden="true" className="flex h-2 w-28 gap-px overflow-hidden rounded-full">
      {outcomes.map((outcome) => {
        const sum = sumOf(counts, outcome)
        return sum > 0 && <span key={outcome} className={`min-w-1 ${fills[outcome]}`} style={{ flexGrow: sum }} />
      })}
    </span>
  )
}

function Codes({ counts }: { counts: readonly PlatformOutcome[] }) {
  const { i18n } = useTranslation()
  const withCode = counts.filter(({ code }) => code !== null)
  if (withCode.length === 0) return <span className="text-quiet">–</span>
  return (
    <ul className="flex flex-col gap-0.5">
      {withCode.map(({ outcome, code, number }) => (
        <li key={`${outcome} ${code}`} className="flex items-baseline gap-2">
          <code className="font-mono text-xs">{code}</code>
          <span className="figures text-sm text-quiet">{formatNumber(number, i18n.language)}</span>
        </li>
      ))}
    </ul>
  )
}

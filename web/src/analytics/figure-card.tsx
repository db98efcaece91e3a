import { ArrowDown, ArrowUp, Minus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../time/format-number.ts'

type FigureCardProps = {
  label: string
  value: string
  now: number
  /** The same figure of the time before; null where it cannot be compared. */
  before: number | null
  /** Why the figure is missing or not complete. */
  note?: string | undefined
}

/** One figure with the change beside it. */
export function FigureCard({ label, value, now, before, note }: FigureCardProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1 border-l-2 border-line py-1 pl-4">
      <dt className="text-sm text-quiet">{label}</dt>
      <dd className="flex flex-col gap-1">
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span className="figures text-2xl font-medium">{value}</span>
          {before !== null && <Change now={now} before={before} />}
        </span>
        {note !== undefined && <span className="text-sm text-quiet">{note}</span>}
      </dd>
    </div>
  )
}

function Change({ now, before }: { now: number; before: number }) {
  const { t, i18n } = useTranslation('analytics')
  // Six times "none before" would tell less than it takes up.
  if (before === 0) return null
  const share = (now - before) / before
  const text = formatNumber(share, i18n.language, 'change')
  const tone = share > 0 ? 'text-verdigris' : share < 0 ? 'text-rust' : 'text-quiet'
  const icon = share > 0 ? <ArrowUp aria-hidden /> : share < 0 ? <ArrowDown aria-hidden /> : <Minus aria-hidden />
  const beforeText = formatNumber(before, i18n.language)
  return (
    <span
      className={`figures inline-flex items-center gap-0.5 text-sm font-medium [&_svg]:size-4 ${tone}`}
      title={t('change.before', { before: beforeText })}
    >
      {icon}
      {text}
      <span className="sr-only">{t('change.before', { before: beforeText })}</span>
    </span>
  )
}

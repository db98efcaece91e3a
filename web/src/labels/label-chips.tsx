import type { Label } from '@carillon/sdk'
import { Flag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { markStyle } from './mark-style.ts'
import { useShownLabels } from './use-labels.ts'

/** The labels of a post; of many, the first and how many more there are. */
export function LabelChips({ ids, max = 10 }: { ids: readonly string[] | undefined; max?: number }) {
  const { t } = useTranslation('labels')
  const shown = useShownLabels(ids)
  if (shown.length === 0) return null
  const rest = shown.slice(max)
  return (
    <ul aria-label={t('title')} className="flex min-w-0 flex-wrap gap-1">
      {shown.slice(0, max).map((label) => (
        <li key={label.id} className="flex max-w-56 min-w-0">
          <LabelChip label={label} />
        </li>
      ))}
      {rest.length > 0 && (
        <li className="figures self-center text-xs text-quiet" title={rest.map(({ name }) => name).join(', ')}>
          {t('more', { count: rest.length })}
        </li>
      )}
    </ul>
  )
}

/** The name of a label on its colour. A campaign has a flag. */
export function LabelChip({ label: { name, color, kind } }: { label: Pick<Label, 'name' | 'color' | 'kind'> }) {
  return (
    <span
      style={markStyle(color)}
      className="mark inline-flex min-w-0 items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium"
    >
      {kind === 'campaign' && <Flag aria-hidden className="size-3! shrink-0" />}
      <span className="truncate">{name}</span>
    </span>
  )
}

import { useTranslation } from 'react-i18next'
import { LabelChip } from './label-chip.tsx'
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

import type { Workspace } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../time/format-number.ts'

/** Posts of this month against the allowance. A limit below zero means that there is none. */
export function UsageMeter({ usage }: { usage: Workspace['usage'] }) {
  const { t, i18n } = useTranslation('settings')
  const { count, limit, remaining } = usage
  const number = (value: number) => formatNumber(value, i18n.language)
  if (limit <= 0) return <p className="figures text-lg">{t('plan.unlimited', { count, used: number(count) })}</p>
  return (
    <div className="flex max-w-xl flex-col gap-2">
      <p className="figures text-lg">{t('plan.used', { count, used: number(count), limit: number(limit) })}</p>
      <meter
        aria-label={t('plan.usage')}
        className="h-3 w-full"
        min={0}
        max={limit}
        high={limit * 0.8}
        optimum={0}
        value={count}
      />
      <p className="figures text-sm text-quiet">{t('plan.remaining', { count: remaining, left: number(remaining) })}</p>
    </div>
  )
}

import { useTranslation } from 'react-i18next'
import type { PoolFigures } from '../../api/operator.ts'
import { UsageMeter } from '../workspace/usage-meter.tsx'

/** How many database connections of the process that answered are busy. */
export function PoolMeters({ pools }: { pools: readonly PoolFigures[] }) {
  const { t } = useTranslation('operator')
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      {pools.map(({ pool, max, open, idle, waiting }) => (
        <div key={pool} className="flex flex-col gap-1">
          <h4 className="text-sm text-quiet">{t(`pools.${pool}`)}</h4>
          <UsageMeter
            label={t(`pools.${pool}`)}
            used={open - idle}
            limit={max}
            text={t('pools.busy', { busy: open - idle, max })}
            rest={t('pools.rest', { idle, waiting })}
          />
        </div>
      ))}
    </div>
  )
}

import { useTranslation } from 'react-i18next'
import { Skeleton } from '../ui/skeleton.tsx'

/** The outline of the accounts while they are loaded. */
export function IntegrationsPending() {
  const { t } = useTranslation('connections')
  return (
    <output className="flex flex-col gap-4">
      <span className="sr-only">{t('loading')}</span>
      <Skeleton className="h-6 w-40" />
      <span className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {['first', 'second', 'third'].map((card) => (
          <Skeleton key={card} className="h-44 rounded-card" />
        ))}
      </span>
    </output>
  )
}

import type { Media } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '../ui/skeleton.tsx'
import { MediaTile } from './media-tile.tsx'

const gridLook = 'grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4 xl:grid-cols-5'

export function MediaGrid({ items, onOpen }: { items: readonly Media[]; onOpen: (id: string) => void }) {
  const { t } = useTranslation('media')
  return (
    <ul aria-label={t('title')} className={gridLook}>
      {items.map((media) => (
        <MediaTile key={media.id} media={media} onOpen={() => onOpen(media.id)} />
      ))}
    </ul>
  )
}

export function MediaGridSkeleton({ label }: { label: string }) {
  return (
    <output className={gridLook}>
      <span className="sr-only">{label}</span>
      {Array.from({ length: 10 }, (_, at) => (
        <Skeleton key={at} className="aspect-[3/4]" />
      ))}
    </output>
  )
}

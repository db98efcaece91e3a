import type { Media } from '@carillon/sdk'
import { FileText, Film } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../ui/badge.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { formatSize } from './format-size.ts'
import { Thumbnail } from './thumbnail.tsx'

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

/** One file of the library. Its button opens the details. */
function MediaTile({ media, onOpen }: { media: Media; onOpen: () => void }) {
  const { t, i18n } = useTranslation('media')
  const { t: tShell } = useTranslation('shell')
  const isWithoutAlt = media.type === 'image' && media.alt === ''
  return (
    <li className="relative flex min-w-0 flex-col overflow-hidden rounded-card border border-line bg-surface transition-colors hover:border-edge">
      <div className="aspect-square overflow-hidden">
        <Thumbnail media={media} />
      </div>
      <div className="flex min-w-0 flex-col gap-1 p-3">
        {/* The button covers the whole tile, so that its name is read once and a click anywhere opens it. */}
        <button
          type="button"
          onClick={onOpen}
          className="truncate text-left text-sm font-medium after:absolute after:inset-0 after:rounded-card after:content-['']"
        >
          {media.name}
        </button>
        <span className="figures text-xs text-quiet">
          {media.pages !== null && `${tShell('pages', { count: media.pages })} · `}
          {factsOf(media, i18n.language)}
        </span>
        <span className="flex min-h-6 flex-wrap gap-1">
          {media.type === 'video' && <Badge icon={<Film aria-hidden />}>{t('types.video')}</Badge>}
          {media.type === 'document' && <Badge icon={<FileText aria-hidden />}>{t('types.document')}</Badge>}
          {isWithoutAlt && <Badge tone="straw">{t('tile.withoutAlt')}</Badge>}
          {media.usedBy.length === 0 && <Badge tone="draft">{t('tile.unused')}</Badge>}
        </span>
      </div>
    </li>
  )
}

function factsOf({ width, height, durationSeconds, sizeBytes }: Media, language: string): string {
  const size = formatSize(sizeBytes, language)
  if (durationSeconds !== null) return `${formatDuration(durationSeconds)} · ${size}`
  return width !== null && height !== null ? `${width} × ${height} · ${size}` : size
}

function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

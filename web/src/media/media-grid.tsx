import type { Media } from '@carillon/sdk'
import { FileText, Film } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../ui/badge.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { formatSize } from './format-size.ts'
import { Thumbnail } from './thumbnail.tsx'

const gridLook = 'grid grid-cols-[repeat(auto-fill,minmax(min(10rem,45%),1fr))] gap-3 sm:gap-4'

type Choice = { chosen: readonly string[]; onChoose: (id: string, isChosen: boolean, withRange: boolean) => void }
type MediaGridProps = {
  items: readonly Media[]
  onOpen: (id: string) => void
  /** Null for those who may not change files. */
  choice: Choice | null
}

/** While something is chosen, a click on a tile chooses it too; before, it opens the file. */
export function MediaGrid({ items, onOpen, choice }: MediaGridProps) {
  const { t } = useTranslation('media')
  return (
    // A click with Shift would otherwise select the words between two tiles.
    <ul aria-label={t('title')} className={choice && choice.chosen.length > 0 ? `${gridLook} select-none` : gridLook}>
      {items.map((media) => (
        <MediaTile key={media.id} media={media} onOpen={() => onOpen(media.id)} choice={choice} />
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
function MediaTile({ media, onOpen, choice }: { media: Media; onOpen: () => void; choice: Choice | null }) {
  const { t, i18n } = useTranslation('media')
  const { t: tShell } = useTranslation('shell')
  const isWithoutAlt = media.type === 'image' && media.alt === ''
  const isChosen = choice?.chosen.includes(media.id) ?? false
  const choose = (isNow: boolean, event: Event) =>
    choice?.onChoose(media.id, isNow, event instanceof MouseEvent && event.shiftKey)
  return (
    <li
      className={`relative flex min-w-0 flex-col overflow-hidden rounded-card border bg-surface transition-colors ${isChosen ? 'border-bell' : 'border-line hover:border-edge'}`}
    >
      {choice && (
        <span className="absolute top-2 left-2 z-10 rounded-chip bg-surface/90 p-1.5 pt-1 pointer-coarse:px-3 pointer-coarse:py-0">
          <Checkbox label={t('bulk.choose', media)} isLabelHidden checked={isChosen} onChange={choose} />
        </span>
      )}
      <div className="aspect-square overflow-hidden">
        <Thumbnail media={media} />
      </div>
      <div className="flex min-w-0 flex-col gap-1 p-3">
        {/* The button covers the whole tile, so that its name is read once and a click anywhere opens it. */}
        <button
          type="button"
          onClick={({ nativeEvent }) => (choice && choice.chosen.length > 0 ? choose(!isChosen, nativeEvent) : onOpen())}
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

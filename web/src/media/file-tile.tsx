import type { MediaType } from '@carillon/sdk'
import { FileText, Film, ImageOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'

type FileTileProps = {
  /** Null while it is not known. */
  type: MediaType | null
  /** Without it the tile is only a drawing. */
  name?: string
  pages?: number | null
  className?: string
}

const icons = { image: ImageOff, video: Film, document: FileText } as const

/** A file without a picture, such as a PDF: its kind, its name and how many pages it has. */
export function FileTile({ type, name, pages = null, className = 'size-full' }: FileTileProps) {
  const { t } = useTranslation('shell')
  const Icon = icons[type ?? 'document']
  return (
    <span
      className={`flex flex-col items-center justify-center gap-1 overflow-hidden bg-sunken p-2 text-center text-xs ${className}`}
    >
      <Icon aria-hidden className="size-[min(2rem,100%)] shrink-0 text-faint" />
      {name !== undefined && <span className="line-clamp-2 max-w-full break-all text-ink">{name}</span>}
      {pages !== null && <span className="figures text-quiet">{t('pages', { count: pages })}</span>}
    </span>
  )
}

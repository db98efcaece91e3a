import type { Media } from '@carillon/sdk'
import { FileTile } from './file-tile.tsx'
import { Thumbnail } from './thumbnail.tsx'

/** The file itself where a browser can show it, else its thumbnail. */
export function MediaPreview({ media }: { media: Media }) {
  const look = 'max-h-80 w-full rounded-control bg-sunken object-contain'
  if (media.type === 'image') return <img src={media.url} alt={media.alt} className={look} />
  if (media.type === 'video')
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- people upload their own files, which have no captions of their own
    return <video src={media.url} controls preload="metadata" aria-label={media.name} className={look} />
  return (
    <div className="h-48 overflow-hidden rounded-control">
      {media.thumbnailUrl === null ? (
        <FileTile type={media.type} name={media.name} pages={media.pages} />
      ) : (
        <Thumbnail media={media} />
      )}
    </div>
  )
}

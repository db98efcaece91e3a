import type { Media } from '@carillon/sdk'
import { useState } from 'react'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { FileTile } from './file-tile.tsx'

type ThumbnailProps = { media: Pick<Media, 'id' | 'type' | 'thumbnailUrl'>; alt?: string }

/**
 * A small picture of a file. Its address does not change, unlike the signed address in the answer, so the browser keeps it and a page
 * that stays open longer than an hour still shows it.
 */
export function Thumbnail({ media, alt = '' }: ThumbnailProps) {
  const { id: workspaceId } = useWorkspace()
  const [isBroken, setIsBroken] = useState(false)
  if (media.thumbnailUrl === null || isBroken) return <FileTile type={media.type} />
  return (
    <img
      src={`/api/workspaces/${workspaceId}/media/${media.id}/thumbnail`}
      alt={alt}
      loading="lazy"
      className="size-full bg-sunken object-cover"
      onError={() => setIsBroken(true)}
    />
  )
}

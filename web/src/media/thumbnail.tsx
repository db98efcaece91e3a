import type { Media } from '@carillon/sdk'
import { FileText, Film, ImageOff } from 'lucide-react'
import { useState } from 'react'
import { useWorkspace } from '../workspaces/use-workspace.ts'

type ThumbnailProps = { media: Pick<Media, 'id' | 'type' | 'thumbnailUrl'>; alt?: string }

const icons = {
  image: <ImageOff aria-hidden />,
  video: <Film aria-hidden />,
  document: <FileText aria-hidden />,
} as const

/**
 * A small picture of a file. Its address does not change, unlike the signed address in the answer, so the browser keeps it and a page
 * that stays open longer than an hour still shows it.
 */
export function Thumbnail({ media, alt = '' }: ThumbnailProps) {
  const { id: workspaceId } = useWorkspace()
  const [isBroken, setIsBroken] = useState(false)
  if (media.thumbnailUrl === null || isBroken)
    return (
      <span className="flex size-full items-center justify-center bg-sunken text-faint [&_svg]:size-8">{icons[media.type]}</span>
    )
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

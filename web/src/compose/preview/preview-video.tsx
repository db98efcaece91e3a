import { Play } from 'lucide-react'
import { FilePicture } from '../files/file-picture.tsx'
import { videoAddress } from '../files/local-files.ts'
import type { PostFile } from '../state/compose-state.ts'

/** A video that was chosen in this page plays; one from the library shows its picture. */
export function PreviewVideo({ file, className }: { file: PostFile; className: string }) {
  const address = videoAddress(file)
  if (address !== null) {
    // It is the person's own file, before it is published: there are no captions to offer yet.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return (
      <video
        src={address}
        controls
        muted
        playsInline
        className={`bg-sunken object-cover ${className}`}
        aria-label={file.alt || file.name}
      />
    )
  }
  return (
    <div className={`relative ${className}`}>
      <FilePicture isNamed file={file} className="size-full" />
      <span className="absolute inset-0 flex items-center justify-center">
        <span className="flex size-12 items-center justify-center rounded-full bg-ink/70 text-canvas">
          <Play aria-hidden />
        </span>
      </span>
    </div>
  )
}

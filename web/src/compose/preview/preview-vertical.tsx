import { FilePicture } from '../files/file-picture.tsx'
import type { PostFile } from '../state/compose-state.ts'
import { PreviewVideo } from './preview-video.tsx'

/** The whole screen of a phone, with the words above its lower edge. */
export function PreviewVertical({ files, text }: { files: readonly PostFile[]; text: string }) {
  const [first] = files
  if (!first) return null
  return (
    <div className="relative mx-auto aspect-[9/16] w-full max-w-64 overflow-hidden rounded-t-card">
      {first.kind === 'video' ? (
        <PreviewVideo file={first} className="size-full" />
      ) : (
        <FilePicture isNamed file={first} className="size-full" />
      )}
      {text !== '' && (
        <p className="pointer-events-none absolute inset-x-0 bottom-12 line-clamp-3 bg-ink/70 p-2 text-sm break-words text-canvas">
          {text}
        </p>
      )}
    </div>
  )
}

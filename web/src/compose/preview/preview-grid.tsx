import { FilePicture } from '../files/file-picture.tsx'
import type { PostFile } from '../state/compose-state.ts'
import { PreviewVideo } from './preview-video.tsx'

/** Up to four photos as tiles; the fourth says how many more there are. A single photo or video keeps its whole width. */
export function PreviewGrid({ files, isWide }: { files: readonly PostFile[]; isWide: boolean }) {
  const [first] = files
  if (!first) return null
  const shown = files.slice(0, 4)
  const frame = isWide ? '' : 'mx-3 overflow-hidden rounded-control'
  if (first.kind === 'video') return <PreviewVideo file={first} className={`aspect-video ${frame}`} />
  if (shown.length === 1) return <FilePicture isNamed file={first} className={`aspect-[4/3] ${frame}`} />
  return (
    <div className={`grid aspect-[4/3] grid-cols-2 gap-0.5 ${shown.length > 2 ? 'grid-rows-2' : ''} ${frame}`}>
      {shown.map((file, index) => (
        <div key={file.key} className={`relative min-h-0 ${shown.length === 3 && index === 0 ? 'row-span-2' : ''}`}>
          <FilePicture isNamed file={file} className="size-full" />
          {index === 3 && files.length > 4 && (
            <span className="figures absolute inset-0 flex items-center justify-center bg-ink/60 text-xl text-canvas">
              +{files.length - 4}
            </span>
          )}
        </div>
      ))}
    </div>
  )
}

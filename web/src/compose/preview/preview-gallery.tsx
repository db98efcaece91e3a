import { useTranslation } from 'react-i18next'
import { FilePicture } from '../files/file-picture.tsx'
import type { PostFile } from '../state/compose-state.ts'
import { PreviewVideo } from './preview-video.tsx'

/** Pictures first, one at a time: several are swiped sideways. */
export function PreviewGallery({ files }: { files: readonly PostFile[] }) {
  const { t } = useTranslation('compose')
  return (
    <section
      aria-label={t('preview.swipe', { count: files.length })}
      // The scroller can be reached with the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={files.length > 1 ? 0 : -1}
      className="flex snap-x snap-mandatory overflow-x-auto"
    >
      {files.map((file, index) => (
        <div key={file.key} className="relative aspect-[4/5] w-full shrink-0 snap-center">
          {file.kind === 'video' ? (
            <PreviewVideo file={file} className="size-full" />
          ) : (
            <FilePicture isNamed file={file} className="size-full" />
          )}
          {files.length > 1 && (
            <span className="figures absolute top-2 right-2 rounded-full bg-ink/70 px-2 text-xs text-canvas">
              {index + 1}/{files.length}
            </span>
          )}
        </div>
      ))}
    </section>
  )
}

import { useTranslation } from 'react-i18next'
import { FilePicture } from '../files/file-picture.tsx'
import type { PostFile } from '../state/compose-state.ts'

/** The first page of a document, its title and the number of its pages. */
export function PreviewDocument({ files, title }: { files: readonly PostFile[]; title: string | null }) {
  const { t } = useTranslation('compose')
  const [file] = files
  if (!file) return null
  return (
    <div className="border-y border-line">
      <FilePicture isNamed file={file} className="aspect-[4/3]" />
      <div className="flex items-baseline justify-between gap-3 px-3 py-2 text-sm">
        <span className="min-w-0 truncate font-medium">{title ?? file.name}</span>
        {file.pages !== null && <span className="shrink-0 text-quiet">{t('preview.pages', { count: file.pages })}</span>}
      </div>
    </div>
  )
}

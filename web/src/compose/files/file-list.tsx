import { useTranslation } from 'react-i18next'
import { useCompose } from '../compose-context.ts'
import { useFieldError } from '../editor/use-describe-finding.ts'
import { FileRow } from './file-row.tsx'

/** The files of the post in their order, with alt text and what the platforms say about each. */
export function FileList({ onRepeat }: { onRepeat: (key: string) => void }) {
  const { t } = useTranslation('compose')
  const { state } = useCompose()
  const error = useFieldError('medias')
  return (
    <>
      {state.files.length > 0 && (
        <ul aria-label={t('files.title')} className="flex flex-col gap-3">
          {state.files.map((file, index) => (
            <FileRow key={file.key} file={file} index={index} onRepeat={() => onRepeat(file.key)} />
          ))}
        </ul>
      )}
      {error && <p className="text-sm font-medium text-rust">{error}</p>}
    </>
  )
}

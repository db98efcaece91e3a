import { useTranslation } from 'react-i18next'
import { useCompose } from '../compose-context.ts'
import { OwnMark } from '../editor/own-mark.tsx'
import { useFieldError } from '../editor/use-describe-finding.ts'
import { filesOf } from '../state/compose-state.ts'
import { FileRow } from './file-row.tsx'
import type { Uploads } from './use-uploads.ts'

/** The files of the open tab in their order, with alt text and what the platforms do to each. */
export function FileList({ uploads }: { uploads: Uploads }) {
  const { t } = useTranslation('compose')
  const { state } = useCompose()
  const files = filesOf(state, state.tab)
  const error = useFieldError('medias')
  return (
    <>
      {files.length > 0 && (
        <>
          {state.tab !== null && (
            <div className="flex items-baseline justify-between gap-3 text-xs text-faint">
              <span className="text-sm font-medium text-ink">{t('files.title')}</span>
              <OwnMark field="files" />
            </div>
          )}
          <ul aria-label={t('files.title')} className="flex flex-col gap-3">
            {files.map((file, index) => (
              <FileRow key={file.key} file={file} index={index} uploads={uploads} />
            ))}
          </ul>
        </>
      )}
      {error && <p className="text-sm font-medium text-rust">{error}</p>}
    </>
  )
}

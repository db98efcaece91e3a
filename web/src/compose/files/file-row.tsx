import { GripVertical } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatSize } from '../../media/format-size.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useCompose } from '../compose-context.ts'
import { useFieldError } from '../editor/use-describe-finding.ts'
import { filesOf, type PostFile } from '../state/compose-state.ts'
import { FileActions } from './file-actions.tsx'
import { FileFindings } from './file-findings.tsx'
import { FilePicture } from './file-picture.tsx'
import { FileState } from './file-state.tsx'
import { useFileDrag } from './use-file-drag.ts'
import type { Uploads } from './use-uploads.ts'

type FileRowProps = { file: PostFile; index: number; uploads: Uploads }

export function FileRow({ file, index, uploads }: FileRowProps) {
  const { t, i18n } = useTranslation('compose')
  const { state, dispatch, accounts } = useCompose()
  const isMovable = filesOf(state, state.tab).length > 1
  const { row, grip, side } = useFileDrag({ key: file.key, index, isMovable })
  const altError = useFieldError(`medias[${index}].alt`)
  const takesAlt = accounts.length === 0 || accounts.some(({ platform }) => platform.altText.kinds.includes(file.kind))
  return (
    <li ref={row} className={`${rowLook} ${side === null ? '' : insertLooks[side]}`}>
      <span ref={grip} className={isMovable ? gripLook : 'shrink-0'} title={isMovable ? t('files.drag') : undefined}>
        {isMovable && <GripVertical aria-hidden className="-ml-1.5 size-4 shrink-0 text-faint pointer-coarse:hidden" />}
        <FilePicture file={file} className="size-16 shrink-0 rounded-control" />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <div className="flex items-start justify-between gap-2 max-sm:flex-col max-sm:gap-0">
          <p className="max-w-full min-w-0 truncate text-sm">
            <span className="font-medium">{file.name}</span>
            {file.pages !== null && <span className="text-quiet"> · {t('preview.pages', { count: file.pages })}</span>}
            {file.sizeBytes > 0 && <span className="text-quiet"> · {formatSize(file.sizeBytes, i18n.language)}</span>}
          </p>
          <FileActions file={file} index={index} uploads={uploads} />
        </div>
        <FileState file={file} onRepeat={() => uploads.repeat(file.key)} />
        {takesAlt && (
          <Field label={t('files.alt', { name: file.name })} isLabelHidden error={altError}>
            <Input
              data-alt-text
              placeholder={t('files.altHint')}
              maxLength={5000}
              value={file.alt}
              onChange={(event) => dispatch({ type: 'writeAlt', key: file.key, alt: event.target.value })}
            />
          </Field>
        )}
        <FileFindings file={file} index={index} />
      </div>
    </li>
  )
}

const rowLook = 'relative flex gap-3 rounded-card border border-line bg-surface p-3 data-dragged:opacity-40'
const gripLook = 'flex shrink-0 items-center gap-1 self-start pointer-fine:cursor-grab'

/** A line in the gap where the dragged file would go. */
const line = 'after:absolute after:inset-x-0 after:h-0.5 after:rounded-full after:bg-bell'
const insertLooks = { before: `${line} after:-top-2`, after: `${line} after:-bottom-2` } as const

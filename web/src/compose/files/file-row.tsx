import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { ArrowDown, ArrowUp, Crop, GripVertical, Trash2 } from 'lucide-react'
import { Suspense, lazy, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { formatSize } from '../../media/format-size.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useCompose } from '../compose-context.ts'
import { useDescribeFinding, useFieldError, useFindingsAt } from '../editor/use-describe-finding.ts'
import { type PostFile, allFiles, filesOf } from '../state/compose-state.ts'
import type { Finding } from '../state/findings.ts'
import { FilePicture } from './file-picture.tsx'
import { chosenFile, forgetFile } from './local-files.ts'
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

/** What each chosen platform does to a file: refuses or changes it. The platforms that do the same share a line. */
function FileFindings({ file, index }: { file: PostFile; index: number }) {
  const { accounts } = useCompose()
  const describe = useDescribeFinding()
  const found = useFindingsAt(`medias[${index}]`)
  const bySentence = Map.groupBy(found, (finding) => describe(finding))
  const platformsOf = (findings: readonly Finding[]) => {
    const platforms = findings.flatMap(({ slug }) => accounts.find((account) => account.slug === slug)?.platform ?? [])
    return [...new Map(platforms.map((platform) => [platform.platform, platform])).values()]
  }
  if (file.mediaId === null) return null
  return (
    <ul className="flex flex-col gap-1 empty:hidden">
      {[...bySentence].map(([sentence, findings]) => (
        <li
          key={sentence}
          className={`flex items-start gap-1.5 text-sm ${findings.some(({ isBlocking }) => isBlocking) ? 'font-medium text-rust' : 'text-quiet'}`}
        >
          {platformsOf(findings).map(({ platform }) => (
            <PlatformMark key={platform} platform={platform} className="mt-0.5 size-4" />
          ))}
          <span className="min-w-0">{sentence}</span>
        </li>
      ))}
    </ul>
  )
}

/** How far a file is uploaded, or why it was not. */
function FileState({ file, onRepeat }: { file: PostFile; onRepeat: () => void }) {
  const { t } = useTranslation('compose')
  if (file.problem !== null) {
    return (
      <div className="flex flex-wrap items-center gap-2 text-sm font-medium text-rust">
        {file.problem === 'interrupted' ? t('files.interrupted') : file.problem}
        {chosenFile(file.key) && (
          <Button size="sm" onClick={onRepeat}>
            {t('files.repeat')}
          </Button>
        )}
      </div>
    )
  }
  if (file.mediaId !== null) return null
  const percent = Math.round(file.progress * 100)
  return (
    <div className="flex items-center gap-2 text-sm text-quiet">
      <progress
        className="h-1.5 flex-1 accent-bell"
        aria-label={t('files.uploading', { name: file.name })}
        max={100}
        {...(percent > 0 && { value: percent })}
      />
      <span className="figures">{percent > 0 ? `${percent} %` : t('files.started')}</span>
    </div>
  )
}

/** Where a dragged file would be inserted: before or after the row under the pointer. */
type Side = 'before' | 'after'

/** A row of the list of files: it is dragged by its grip, and others are dropped on it. The arrow buttons do the same for keys and touch. */
function useFileDrag({ key, index, isMovable }: { key: string; index: number; isMovable: boolean }) {
  const { dispatch } = useCompose()
  const row = useRef<HTMLLIElement>(null)
  const grip = useRef<HTMLSpanElement>(null)
  const [side, setSide] = useState<Side | null>(null)
  useEffect(() => {
    const [element, handle] = [row.current, grip.current]
    if (!element || !handle || !isMovable) return
    const sideAt = (clientY: number): Side => {
      const { top, height } = element.getBoundingClientRect()
      return clientY < top + height / 2 ? 'before' : 'after'
    }
    return combine(
      draggable({
        element,
        // The whole row would take the text of its fields away from the pointer.
        dragHandle: handle,
        getInitialData: () => ({ postFile: key, index }),
        onDragStart: () => element.setAttribute('data-dragged', ''),
        onDrop: () => element.removeAttribute('data-dragged'),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => 'postFile' in source.data && source.data['postFile'] !== key,
        onDrag: ({ location }) => setSide(sideAt(location.current.input.clientY)),
        onDragLeave: () => setSide(null),
        onDrop: ({ source, location }) => {
          setSide(null)
          const from = Number(source.data['index'])
          const before = sideAt(location.current.input.clientY) === 'before' ? index : index + 1
          const to = from < before ? before - 1 : before
          dispatch({ type: 'moveFile', key: String(source.data['postFile']), by: to - from })
        },
      }),
    )
  }, [key, index, isMovable, dispatch])
  return { row, grip, side }
}

const CropDialog = lazy(async () => ({ default: (await import('../crop/crop-dialog.tsx')).CropDialog }))

type FileActionsProps = { file: PostFile; index: number; uploads: Uploads }

function FileActions({ file, index, uploads }: FileActionsProps) {
  const { t } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const [isCropping, setIsCropping] = useState(false)
  const { key, name } = file
  const files = filesOf(state, state.tab)
  const isOnlyHere = state.tab !== null && files.length === 1
  // A GIF may move, and a canvas draws one picture of it.
  const canCrop = file.kind === 'image' && file.mimeType !== 'image/gif' && file.problem === null && file.mediaId !== null
  const remove = () => {
    const isOnceMore = state.tab !== null || allFiles({ ...state, files: [] }).some((other) => other.key === key)
    dispatch({ type: 'removeFile', key })
    if (!isOnceMore) forgetFile(key)
    document.querySelector<HTMLElement>('#compose-text')?.focus()
  }
  return (
    <div className="-mt-2 -mr-2 flex shrink-0 max-sm:mt-0 max-sm:-ml-3">
      {canCrop && <IconButton label={t('crop.open', { name })} icon={<Crop aria-hidden />} onClick={() => setIsCropping(true)} />}
      {files.length > 1 && (
        <>
          <IconButton
            label={t('files.up', { name })}
            icon={<ArrowUp aria-hidden />}
            disabled={index === 0}
            onClick={() => dispatch({ type: 'moveFile', key, by: -1 })}
          />
          <IconButton
            label={t('files.down', { name })}
            icon={<ArrowDown aria-hidden />}
            disabled={index === files.length - 1}
            onClick={() => dispatch({ type: 'moveFile', key, by: 1 })}
          />
        </>
      )}
      {!isOnlyHere && <IconButton label={t('files.remove', { name })} icon={<Trash2 aria-hidden />} onClick={remove} />}
      <Suspense>
        {isCropping && (
          <CropDialog file={file} onClose={() => setIsCropping(false)} onCropped={(cropped) => uploads.replace(file, cropped)} />
        )}
      </Suspense>
    </div>
  )
}

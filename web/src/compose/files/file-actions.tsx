import { ArrowDown, ArrowUp, Crop, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/icon-button.tsx'
import { useCompose } from '../compose-context.ts'
import { allFiles, filesOf, type PostFile } from '../state/compose-state.ts'
import { forgetFile } from './local-files.ts'
import type { Uploads } from './use-uploads.ts'

const CropDialog = lazy(async () => ({ default: (await import('../crop/crop-dialog.tsx')).CropDialog }))

type FileActionsProps = { file: PostFile; index: number; uploads: Uploads }

export function FileActions({ file, index, uploads }: FileActionsProps) {
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

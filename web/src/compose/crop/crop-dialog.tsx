import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaGet } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useCompose } from '../compose-context.ts'
import { wholePictureAddress } from '../files/local-files.ts'
import { hasOwnFiles, type PostFile } from '../state/compose-state.ts'
import { CropArea } from './crop-area.tsx'
import { cropBox, type CropChoice, type Size } from './crop-box.ts'
import { CropControls } from './crop-controls.tsx'
import { cropImage } from './crop-image.ts'
import { cropRatios, nearestRatio } from './crop-ratios.ts'

type CropDialogProps = { file: PostFile; onClose: () => void; onCropped: (file: File) => void }

/** Keeps a part of a photo, in a shape that the chosen platforms take. The result is a new file; the first one stays in the library. */
export function CropDialog({ file, onClose, onCropped }: CropDialogProps) {
  const { t } = useTranslation('compose')
  const { workspaceId, state, accounts } = useCompose()
  const { tab } = state
  const here = wholePictureAddress(file.key)
  const media = useQuery({ ...mediaGet(workspaceId, file.mediaId ?? ''), enabled: here === null && file.mediaId !== null })
  const address = here ?? media.data?.url ?? null
  const picture = useRef<HTMLImageElement>(null)
  const [size, setSize] = useState<Size | null>(null)
  const [chosen, setChosen] = useState<{ name: string; choice: CropChoice } | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const shown = accounts.filter(({ slug }) => (tab === null ? !hasOwnFiles(state, slug) : slug === tab))
  const ratios = size ? cropRatios(size, file, { state, accounts: shown }) : []
  const first = nearestRatio(ratios)
  const { name, choice } = chosen ?? {
    name: first?.name ?? 'original',
    choice: { ratio: first?.ratio ?? 1, scale: 1, x: 0.5, y: 0.5 },
  }
  const box = size && cropBox(size, choice)
  const crop = async () => {
    if (!picture.current || !box) return
    try {
      onCropped(await cropImage(picture.current, box, file))
      onClose()
    } catch {
      setHasFailed(true)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={t('crop.title')}
      description={t('crop.intro')}
      closeLabel={t('close')}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" disabled={!box} onClick={() => void crop()}>
            {t('crop.confirm')}
          </Button>
        </>
      }
    >
      {media.error && <ErrorNotice error={media.error} onRetry={() => void media.refetch()} />}
      {hasFailed && (
        <Notice kind="problem" title={t('crop.failed.title')}>
          {t('crop.failed.sentence')}
        </Notice>
      )}
      {address === null && !media.error && <SkeletonLines label={t('loading')} />}
      {address !== null && (
        <div className="grid gap-5 max-sm:gap-3 sm:grid-cols-[minmax(0,1fr)_13rem]">
          <div className="flex flex-col gap-2">
            <CropArea
              address={address}
              picture={picture}
              label={file.alt || file.name}
              size={size}
              choice={choice}
              onChange={(next) => setChosen({ name, choice: next })}
              onSize={setSize}
              onFail={() => setHasFailed(true)}
            />
            {box && <output className="figures text-sm text-quiet">{t('crop.result', box)}</output>}
          </div>
          {size && (
            <CropControls
              ratios={ratios}
              name={name}
              choice={choice}
              onRatio={(ratio) => setChosen({ name: ratio.name, choice: { ...choice, ratio: ratio.ratio } })}
              onChange={(next) => setChosen({ name, choice: next })}
            />
          )}
        </div>
      )}
    </Dialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { type PointerEvent, type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaGet } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useCompose } from '../compose-context.ts'
import { wholePictureAddress } from '../files/local-files.ts'
import { type PostFile, hasOwnFiles } from '../state/compose-state.ts'
import { type Box, type CropChoice, type Size, cropBox, movedBy } from './crop-box.ts'
import { CropControls } from './crop-controls.tsx'
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

/** Some browsers draw nothing on a larger canvas. */
const pixelsMax = 16_000_000

/** Only these can be written by every browser. PNG keeps transparency. */
const writtenTypes: Readonly<Record<string, { type: string; ending: string }>> = {
  'image/png': { type: 'image/png', ending: 'png' },
  'image/webp': { type: 'image/png', ending: 'png' },
}
const usual = { type: 'image/jpeg', ending: 'jpg' }

/** Draws a part of a picture into a new file. The picture must be loaded with permission to read it, or the browser refuses. */
async function cropImage(picture: HTMLImageElement, box: Box, from: { name: string; mimeType: string }): Promise<File> {
  const scale = Math.min(1, Math.sqrt(pixelsMax / (box.width * box.height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(box.width * scale)
  canvas.height = Math.round(box.height * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser has no canvas')
  context.drawImage(picture, box.left, box.top, box.width, box.height, 0, 0, canvas.width, canvas.height)
  const { type, ending } = writtenTypes[from.mimeType] ?? usual
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92))
  if (!blob) throw new Error('the browser made no picture')
  return new File([blob], `${from.name.replace(/\.\w+$/, '')}-crop.${ending}`, { type })
}

type CropAreaProps = {
  address: string
  /** Null until it is loaded. */
  size: Size | null
  choice: CropChoice | null
  onChange: (choice: CropChoice) => void
  onSize: (size: Size) => void
  onFail: () => void
  picture: RefObject<HTMLImageElement | null>
  label: string
}

/** The picture with the part that stays. It can be dragged; the sliders beside it do the same. */
function CropArea({ address, size, choice, onChange, onSize, onFail, picture, label }: CropAreaProps) {
  const last = useRef<{ x: number; y: number } | null>(null)
  const box = size && choice ? cropBox(size, choice) : null
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`
  const drag = ({ clientX, clientY }: PointerEvent) => {
    const from = last.current
    const shown = picture.current?.getBoundingClientRect()
    if (!from || !shown || !size || !choice) return
    const scale = size.width / shown.width
    onChange(movedBy(size, choice, { x: (clientX - from.x) * scale, y: (clientY - from.y) * scale }))
    last.current = { x: clientX, y: clientY }
  }
  return (
    <div className="flex min-h-40 max-sm:min-h-32 items-center justify-center rounded-control bg-sunken">
      <div className="relative overflow-hidden">
        <img
          ref={picture}
          src={address}
          crossOrigin="anonymous"
          alt={label}
          draggable={false}
          className="block max-h-[45dvh] max-w-full select-none"
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => onSize({ width, height })}
          onError={onFail}
        />
        {box && size && (
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
          <div
            className="absolute cursor-move touch-none border-2 border-bell shadow-[0_0_0_100vmax_var(--color-veil)]"
            style={{
              left: percent(box.left, size.width),
              top: percent(box.top, size.height),
              width: percent(box.width, size.width),
              height: percent(box.height, size.height),
            }}
            onPointerDown={({ clientX, clientY, pointerId, currentTarget }) => {
              currentTarget.setPointerCapture(pointerId)
              last.current = { x: clientX, y: clientY }
            }}
            onPointerMove={drag}
            onPointerUp={() => (last.current = null)}
          />
        )}
      </div>
    </div>
  )
}

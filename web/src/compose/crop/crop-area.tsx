import { useRef, type PointerEvent, type RefObject } from 'react'
import { cropBox, movedBy, type CropChoice, type Size } from './crop-box.ts'

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
export function CropArea({ address, size, choice, onChange, onSize, onFail, picture, label }: CropAreaProps) {
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

import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode, RefObject } from 'react'
import { popupLook } from './popup-look.ts'

type PopoverProps = {
  trigger: ReactElement
  /** The name of the popover for screen readers. */
  title: string
  isTitleShown?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** What it is beside, if that is not what opens it. */
  anchor?: RefObject<HTMLElement | null>
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** What has the focus when it opens; otherwise the first control. */
  initialFocus?: RefObject<HTMLElement | null>
  className?: string
  children: ReactNode
}

/** A small panel beside what opened it. */
export function Popover(props: PopoverProps) {
  const {
    trigger,
    title,
    isTitleShown = false,
    open,
    onOpenChange,
    anchor,
    align = 'start',
    side = 'bottom',
    initialFocus,
    className = '',
    children,
  } = props
  return (
    <Base.Root {...(open !== undefined && { open })} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner
          {...(anchor && { anchor })}
          sideOffset={6}
          align={align}
          side={side}
          collisionPadding={8}
          className="z-50"
        >
          <Base.Popup
            className={`${popupLook} max-w-[min(24rem,calc(100vw-1rem))] p-4 ${className}`}
            {...(initialFocus && { initialFocus })}
          >
            <Base.Title className={isTitleShown ? 'mb-2 font-serif text-lg' : 'sr-only'}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

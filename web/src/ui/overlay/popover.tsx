import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { popupLook } from './popup-look.ts'

type PopoverProps = {
  trigger: ReactElement
  /** The name of the popover for screen readers. */
  title: string
  isTitleShown?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
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
    align = 'start',
    side = 'bottom',
    className = '',
    children,
  } = props
  return (
    <Base.Root {...(open !== undefined && { open })} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} side={side} collisionPadding={8} className="z-50">
          <Base.Popup className={`${popupLook} max-w-[min(24rem,calc(100vw-1rem))] p-4 ${className}`}>
            <Base.Title className={isTitleShown ? 'mb-2 font-serif text-lg' : 'sr-only'}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { iconButtonLook } from '../icon-button-look.ts'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** The label of the button that closes it. */
  closeLabel: string
  /** Buttons at the end, the main one last. */
  actions?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  /** What has the focus when it opens; otherwise the first control. */
  initialFocus?: RefObject<HTMLElement | null>
  children?: ReactNode
}

const widths = { sm: 'sm:max-w-md', md: 'sm:max-w-xl', lg: 'sm:max-w-3xl' }

/** Above the page, centred; at the bottom edge on a phone. Focus stays inside and returns to what opened it. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, closeLabel, actions, size = 'sm', initialFocus, children } = props
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={backdropLook} />
        <Base.Viewport className={viewportLook}>
          <Base.Popup className={`${panelLook} ${widths[size]}`} {...(initialFocus && { initialFocus })}>
            <div className="flex items-start justify-between gap-4">
              <Base.Title className="font-serif text-xl">{title}</Base.Title>
              <Base.Close aria-label={closeLabel} className={`${iconButtonLook} -mt-2 -mr-2`}>
                <X aria-hidden />
              </Base.Close>
            </div>
            {description !== undefined && <Base.Description className="text-quiet">{description}</Base.Description>}
            {children}
            {actions !== undefined && <div className={actionsLook}>{actions}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

export const backdropLook = [
  'fixed inset-0 z-40 bg-veil transition-opacity duration-[180ms]',
  'data-starting-style:opacity-0 data-ending-style:opacity-0',
].join(' ')

export const viewportLook = 'fixed inset-0 z-40 flex items-end justify-center overflow-y-auto sm:items-center sm:p-6'

export const panelLook = [
  'flex max-h-[92dvh] w-full flex-col gap-4 overflow-y-auto rounded-t-card bg-surface p-5 text-ink shadow-float outline-none sm:rounded-card sm:p-6',
  'transition-[opacity,translate] duration-[180ms] data-starting-style:translate-y-2 data-starting-style:opacity-0 data-ending-style:opacity-0',
].join(' ')

export const actionsLook = 'mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end'

import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { actionsLook, backdropLook, panelLook, viewportLook } from './dialog.tsx'

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** What will be lost, in a sentence. */
  description: ReactNode
  cancelLabel: string
  confirmLabel: string
  onConfirm: () => void
  isBusy?: boolean
  isDangerous?: boolean
  children?: ReactNode
}

/** Asks before something that cannot be undone. A click beside it does not close it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    cancelLabel,
    confirmLabel,
    onConfirm,
    isBusy,
    isDangerous = true,
    children,
  } = props
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropLook} />
        <AlertDialog.Viewport className={viewportLook}>
          <AlertDialog.Popup className={`${panelLook} sm:max-w-md`}>
            <AlertDialog.Title className="font-serif text-xl">{title}</AlertDialog.Title>
            <AlertDialog.Description className="text-quiet">{description}</AlertDialog.Description>
            {children}
            <div className={actionsLook}>
              <Button onClick={() => onOpenChange(false)}>{cancelLabel}</Button>
              <Button variant={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

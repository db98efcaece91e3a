import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { iconButtonLook } from '../icon-button-look.ts'
import { connectToasts, type NewToast } from './show-toast.ts'

const manager = Toast.createToastManager()
const shownMs = 8000

/**
 * It is outside of dialogs, and F6 reaches it. It is at the lower edge, above the navigation of a phone and above the bar of a page that has
 * one: such a bar sets `--bar-height`. No message has a high priority: the library hides the buttons of such a one from screen readers. What
 * the region says is read out when the reader pauses, and a failure stays until it is closed.
 */
export function ToastRegion({ closeLabel }: { closeLabel: string }) {
  useEffect(() => {
    connectToasts(add)
    return () => connectToasts(null)
  }, [])
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-3 bottom-[calc(var(--bar-height,0px)+4.5rem)] z-[60] mx-auto flex max-w-md flex-col gap-2 outline-none sm:right-5 sm:left-auto sm:w-96 md:bottom-[calc(var(--bar-height,0px)+1.25rem)]">
          <ToastList closeLabel={closeLabel} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function add(toast: NewToast): (next: NewToast) => void {
  const close = () => manager.close(id)
  const id = manager.add(read(toast, close))
  return (next) => manager.update(id, read(next, close))
}

function read({ title, description, kind = 'done', action, waitsMs }: NewToast, close: () => void) {
  const onClick = () => {
    close()
    action?.run()
  }
  return {
    title,
    description,
    type: kind,
    timeout: kind === 'failed' ? 0 : (waitsMs ?? shownMs),
    actionProps: action && { children: action.label, onClick },
  }
}

function ToastList({ closeLabel }: { closeLabel: string }) {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={[
        'flex items-start gap-2 rounded-card border bg-surface py-2 pr-2 pl-4 text-ink shadow-float transition-[opacity,translate] duration-[180ms]',
        'data-starting-style:translate-y-2 data-starting-style:opacity-0 data-ending-style:opacity-0',
        toast.type === 'failed' ? 'border-rust' : 'border-line',
      ].join(' ')}
    >
      <Toast.Content className="flex min-w-0 flex-1 flex-col py-2">
        <Toast.Title className="text-base font-medium" />
        <Toast.Description className="text-sm text-quiet" />
      </Toast.Content>
      {toast.actionProps && (
        <Toast.Action className="min-h-10 shrink-0 rounded-control px-3 font-medium text-bell hover:bg-hover" />
      )}
      {/* The library hides it until its stack is open. Ours is never folded, so the button is there for everybody. */}
      <Toast.Close aria-label={closeLabel} aria-hidden={false} className={`${iconButtonLook} shrink-0`}>
        <X aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ))
}

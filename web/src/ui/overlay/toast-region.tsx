import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { iconButtonLook } from '../icon-button-look.ts'
import { connectToasts, type NewToast } from './show-toast.ts'

const manager = Toast.createToastManager()
const shownMs = 8000

/** It is outside of dialogs, and F6 reaches it. */
export function ToastRegion({ closeLabel }: { closeLabel: string }) {
  useEffect(() => {
    connectToasts(add)
    return () => connectToasts(null)
  }, [])
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-3 bottom-20 z-[60] mx-auto flex max-w-md flex-col gap-2 outline-none sm:right-5 sm:bottom-28 sm:left-auto sm:w-96">
          <ToastList closeLabel={closeLabel} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function add({ title, description, kind = 'done', action }: NewToast): () => void {
  const close = () => manager.close(id)
  const id = manager.add({
    title,
    ...(description !== undefined && { description }),
    type: kind,
    timeout: kind === 'failed' ? 0 : shownMs,
    priority: kind === 'failed' ? 'high' : 'low',
    ...(action && {
      actionProps: {
        children: action.label,
        onClick: () => {
          close()
          action.run()
        },
      },
    }),
  })
  return close
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
      <Toast.Close aria-label={closeLabel} className={`${iconButtonLook} shrink-0`}>
        <X aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ))
}

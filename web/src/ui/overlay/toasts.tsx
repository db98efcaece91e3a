import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { iconButtonLook } from '../icon-button.tsx'

const manager = Toast.createToastManager()

type NewToast = {
  title: string
  description?: string
  /** `failed` is read out at once and stays until it is closed. */
  kind?: 'done' | 'failed'
  action?: { label: string; run: () => void }
}

const shownMs = 8000

/** Says what happened, below the page. With an action, such as "Undo", the person has eight seconds. */
export function showToast({ title, description, kind = 'done', action }: NewToast): string {
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
          manager.close(id)
          action.run()
        },
      },
    }),
  })
  return id
}

export function closeToast(id: string): void {
  manager.close(id)
}

/** Where toasts appear. It is outside of dialogs, and F6 reaches it. */
export function Toasts({ closeLabel }: { closeLabel: string }) {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-3 bottom-20 z-[60] mx-auto flex max-w-md flex-col gap-2 outline-none sm:right-5 sm:bottom-5 sm:left-auto sm:w-96">
          <ToastList closeLabel={closeLabel} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
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

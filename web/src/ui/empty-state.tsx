import type { ReactNode } from 'react'

type EmptyStateProps = { title: string; children?: ReactNode; icon?: ReactNode; actions?: ReactNode }

/** What a list says when it is empty: one sentence that teaches, and one or two buttons. */
export function EmptyState({ title, children, icon, actions }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-16 text-center">
      {icon !== undefined && (
        <span className="bell-shape flex size-12 items-center justify-center bg-bell-wash text-bell [&_svg]:size-6">{icon}</span>
      )}
      <h2 className="font-serif text-xl">{title}</h2>
      {children !== undefined && <p className="text-quiet">{children}</p>}
      {actions !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

type Kind = 'info' | 'done' | 'warning' | 'problem'

const kinds: Readonly<Record<Kind, { look: string; icon: ReactNode }>> = {
  info: { look: 'bg-dusk-wash [&>svg]:text-dusk', icon: <Info aria-hidden /> },
  done: { look: 'bg-verdigris-wash [&>svg]:text-verdigris', icon: <CircleCheck aria-hidden /> },
  warning: { look: 'bg-straw-wash [&>svg]:text-straw', icon: <TriangleAlert aria-hidden /> },
  problem: { look: 'bg-rust-wash [&>svg]:text-rust', icon: <CircleAlert aria-hidden /> },
}

type NoticeProps = { kind?: Kind; title: string; children?: ReactNode; actions?: ReactNode }

/** A message inside of the page. A problem is read out at once. */
export function Notice({ kind = 'info', title, children, actions }: NoticeProps) {
  const { look, icon } = kinds[kind]
  return (
    <div
      role={kind === 'problem' ? 'alert' : 'status'}
      className={`flex items-start gap-3 rounded-card p-4 text-ink [&>svg]:mt-0.5 [&>svg]:size-[18px] [&>svg]:shrink-0 ${look}`}
    >
      {icon}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="font-medium">{title}</p>
        {children !== undefined && <div className="text-base break-words text-ink">{children}</div>}
        {actions !== undefined && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  )
}

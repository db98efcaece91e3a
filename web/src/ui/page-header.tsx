import type { ReactNode } from 'react'
import { usePageHeading } from './use-page-heading.ts'

type PageHeaderProps = { title: string; description?: ReactNode; actions?: ReactNode }

/** The heading of a page. It receives the focus after a change of page. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  const heading = usePageHeading(title)
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 ref={heading} tabIndex={-1} className="font-serif text-2xl wrap-anywhere">
          {title}
        </h1>
        {description !== undefined && <p className="mt-1 max-w-[68ch] text-quiet">{description}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2 sm:-mt-1">{actions}</div>}
    </header>
  )
}

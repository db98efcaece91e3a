import type { ComponentProps, ReactNode } from 'react'

/** A table that scrolls sideways inside itself on narrow screens. `label` names it for screen readers. */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    // The scroller can be reached with the keyboard, else its right part could not be read without a pointer.
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line bg-surface max-md:sideways-shade"
    >
      <table className="w-full border-collapse text-left text-base">{children}</table>
    </section>
  )
}

export function HeadCell({ className = '', ...rest }: ComponentProps<'th'>) {
  return <th scope="col" {...rest} className={`border-b border-line px-4 py-2.5 text-sm font-medium text-quiet ${className}`} />
}

export function Cell({ className = '', ...rest }: ComponentProps<'td'>) {
  return <td {...rest} className={`border-b border-line px-4 py-2.5 align-middle [tr:last-child>&]:border-b-0 ${className}`} />
}

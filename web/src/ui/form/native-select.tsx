import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'

type NativeSelectProps = {
  label: string
  value: string
  onChange: (value: string) => void
  /** `<option>` elements. */
  children: ReactNode
  className?: string
}

/** The browser's own list of choices: light enough for the calendar, and the phone's own wheel on a phone. */
export function NativeSelect({ label, value, onChange, children, className = '' }: NativeSelectProps) {
  return (
    <span className={`relative inline-flex min-w-0 ${className}`}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={[
          'min-h-10 w-full min-w-0 appearance-none truncate rounded-control border border-edge bg-surface pr-8 pl-3 text-base text-ink',
          'transition-colors hover:border-quiet pointer-coarse:min-h-11 pointer-coarse:text-[1rem]',
        ].join(' ')}
      >
        {children}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-faint" />
    </span>
  )
}

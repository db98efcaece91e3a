import { useId } from 'react'
import { readOperator } from './operator.ts'

/** The mark: a bell cut into three keys. It takes the colour of the text around it. */
export function Logo({ className }: { className?: string }) {
  const clip = useId()
  return (
    <svg viewBox="0 0 32 32" fill="currentColor" aria-hidden="true" className={className}>
      <clipPath id={clip}>
        <path d="M0 0h11.6v32H0zM13.2 0h5.6v32h-5.6zM20.4 0H32v32H20.4z" />
      </clipPath>
      <path
        clipPath={`url(#${clip})`}
        d="M16 3a2 2 0 0 0-2 2v.5C10.1 6.4 7.6 9.5 7.6 13.6c0 5-1.3 7.5-2.9 9.1-.85.85-.3 2.3.95 2.3h20.7c1.25 0 1.8-1.45.95-2.3-1.6-1.6-2.9-4.1-2.9-9.1 0-4.1-2.5-7.2-6.4-8.1V5a2 2 0 0 0-2-2z"
      />
      <path d="M12.9 27h6.2a3.1 3.1 0 0 1-6.2 0z" />
    </svg>
  )
}

/** The mark with the name beside it: those of the operator, or our own. */
export function Wordmark({ size = 'md' }: { size?: 'md' | 'lg' }) {
  const { name, logoUrl } = readOperator()
  const markSize = size === 'lg' ? 'size-8' : 'size-6'
  return (
    <span className="flex min-w-0 items-center gap-2.5 text-ink">
      {logoUrl === null ? (
        <Logo className={`${markSize} shrink-0 text-bell`} />
      ) : (
        <img src={logoUrl} alt="" className={`${markSize} shrink-0 object-contain`} />
      )}
      <span className={`truncate font-serif ${size === 'lg' ? 'text-xl' : 'text-lg'}`}>{name}</span>
    </span>
  )
}

import { Logo } from './logo.tsx'
import { readOperator } from './operator.ts'

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

import { Logo } from './logo.tsx'

/** The mark with the name beside it. */
export function Wordmark({ size = 'md' }: { size?: 'md' | 'lg' }) {
  return (
    <span className="flex items-center gap-2.5 text-ink">
      <Logo className={`${size === 'lg' ? 'size-8' : 'size-6'} text-bell`} />
      <span className={`font-serif ${size === 'lg' ? 'text-xl' : 'text-lg'}`}>Carillon</span>
    </span>
  )
}

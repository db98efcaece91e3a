import { useState } from 'react'

type AvatarProps = { name: string; src?: string | null | undefined; size?: 'sm' | 'md' | 'lg' }

const sizes = { sm: 'size-6 text-2xs', md: 'size-8 text-xs', lg: 'size-12 text-base' }

/** A picture, or the first letters of the name until it is loaded and where there is none. The name must be said beside it. */
export function Avatar({ name, src, size = 'md' }: AvatarProps) {
  const [isBroken, setIsBroken] = useState(false)
  const look = `${sizes[size]} relative inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full bg-bell-wash font-medium text-bell`
  return (
    <span className={look} aria-hidden="true">
      {initials(name)}
      {src && !isBroken && (
        <img src={src} alt="" className="absolute inset-0 size-full object-cover" onError={() => setIsBroken(true)} />
      )}
    </span>
  )
}

function initials(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}

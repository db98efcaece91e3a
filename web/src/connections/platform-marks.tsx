import { PlatformMark } from './platform-mark.tsx'

type PlatformMarksProps = {
  /** Repetitions are shown once. */
  platforms: readonly string[]
  nameOf: (platform: string) => string
  /** Where space is short, the rest is only read out. */
  max?: number
  className?: string
  /** Without the colours of the brands. */
  isPlain?: boolean
}

/** The logos of the platforms of a post. A screen reader reads their names, and the pointer shows them. */
export function PlatformMarks({
  platforms,
  nameOf,
  max = Number.POSITIVE_INFINITY,
  className = 'size-4',
  isPlain = false,
}: PlatformMarksProps) {
  const all = [...new Set(platforms)]
  if (all.length === 0) return null
  const names = all.map(nameOf).join(', ')
  return (
    <span title={names} className="inline-flex shrink-0 items-center gap-1 text-quiet">
      <span className="sr-only">{names}</span>
      {all.slice(0, max).map((platform) => (
        <PlatformMark key={platform} platform={platform} className={className} isPlain={isPlain} />
      ))}
      {all.length > max && (
        <span aria-hidden="true" className="figures text-2xs">
          +{all.length - max}
        </span>
      )}
    </span>
  )
}

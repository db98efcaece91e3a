import { type Mark, marks } from '@carillon/connectors/marks'

type PlatformMarkProps = {
  platform: string
  className?: string
  /** In the colour of the text around it instead of the brand's: where a colour already says something else. */
  isPlain?: boolean
}

/** The logo of a platform. The name of the platform must stand beside it. */
export function PlatformMark({ platform, className = 'size-5', isPlain = false }: PlatformMarkProps) {
  const { path, color, colorOnDark } = markOf(platform)
  return (
    <svg
      viewBox="0 0 24 24"
      fill="currentColor"
      aria-hidden="true"
      data-platform={platform}
      className={`shrink-0 ${className}`}
      style={isPlain ? undefined : { color: `light-dark(${color}, ${colorOnDark})` }}
    >
      <path d={path} />
    </svg>
  )
}

/** A platform that the server knows and this page does not is drawn as a ring. */
const unknown: Mark = {
  path: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18m0 3a6 6 0 1 0 0 12 6 6 0 0 0 0-12',
  color: '#767676',
  colorOnDark: '#A0A0A0',
}

function markOf(platform: string): Mark {
  const known: Readonly<Record<string, Mark>> = marks
  return known[platform] ?? unknown
}

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

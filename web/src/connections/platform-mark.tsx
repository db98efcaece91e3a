import type { Mark } from '@carillon/connectors/marks'
import { Suspense, use } from 'react'

type Marks = Readonly<Record<string, Mark>>

/** The first page does not wait for the drawings, which are larger than the calendar. Those that cannot be loaded are rings. */
let loaded: Marks | null = null
const loading = load()

async function load(): Promise<Marks> {
  const { marks } = await import('@carillon/connectors/marks').catch(() => ({ marks: {} }))
  loaded = marks
  return marks
}

type PlatformMarkProps = {
  platform: string
  className?: string
  /** In the colour of the text around it instead of the brand's: where a colour already says something else. */
  isPlain?: boolean
}

/** The logo of a platform. The name of the platform must stand beside it. */
export function PlatformMark({ platform, className = 'size-5', isPlain = false }: PlatformMarkProps) {
  const look = `shrink-0 ${className}`
  return (
    <Suspense fallback={<span aria-hidden="true" className={`inline-block ${look}`} />}>
      <Drawing platform={platform} className={look} isPlain={isPlain} />
    </Suspense>
  )
}

function Drawing({ platform, className, isPlain }: PlatformMarkProps) {
  const { path, color, colorOnDark } = (loaded ?? use(loading))[platform] ?? unknown
  return (
    <svg
      viewBox="0 0 24 24"
      fill="currentColor"
      aria-hidden="true"
      data-platform={platform}
      className={className}
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

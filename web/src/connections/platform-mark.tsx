import { marks, type MarkShape } from '@carillon/connectors/marks'
import { createElement } from 'react'

/** The drawing of a platform, in the colour of the text around it. The name of the platform must stand beside it. */
export function PlatformMark({ platform, className = 'size-5' }: { platform: string; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
    >
      {shapesOf(platform).map(([tag, attributes]) => createElement(tag, { key: JSON.stringify(attributes), ...attributes }))}
    </svg>
  )
}

/** A platform that the server knows and this page does not is drawn as a circle. */
function shapesOf(platform: string): readonly MarkShape[] {
  const known: Readonly<Record<string, readonly MarkShape[]>> = marks
  return known[platform] ?? [['circle', { cx: '12', cy: '12', r: '8' }]]
}

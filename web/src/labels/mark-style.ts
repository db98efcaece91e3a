import type { MarkColor } from '@carillon/sdk'
import type { CSSProperties } from 'react'

/** Hue and chroma in oklch. How light they are is a matter of the theme: `mark` and `mark-dot` in theme.css. */
const shades: Readonly<Record<MarkColor, readonly [hue: number, chroma: number]>> = {
  red: [25, 0.13],
  orange: [52, 0.11],
  yellow: [95, 0.1],
  green: [145, 0.11],
  teal: [190, 0.09],
  blue: [240, 0.12],
  indigo: [277, 0.14],
  purple: [312, 0.13],
  pink: [352, 0.13],
  gray: [75, 0.012],
}

/** In the order of the colour wheel. The compiler asks for a colour that is missing above. */
export const markColors = Object.keys(shades) as readonly MarkColor[]

/** The colour of a label or a note, for an element with the class `mark` or `mark-dot`. */
export function markStyle(color: MarkColor): CSSProperties {
  const [hue, chroma] = shades[color]
  // React's type knows no properties of one's own.
  return { '--hue': hue, '--chroma': chroma } as CSSProperties
}

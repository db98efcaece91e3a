import { markStyle } from './mark-style.ts'
import { useShownLabels } from './use-labels.ts'

const dotsMax = 3

/** The colours of the labels of a post, where their names have no room. */
export function LabelDots({ ids }: { ids: readonly string[] }) {
  const shown = useShownLabels(ids)
  if (shown.length === 0) return null
  const names = shown.map(({ name }) => name).join(', ')
  return (
    <span title={names} className="flex shrink-0 -space-x-0.5">
      <span className="sr-only">{names}</span>
      {shown.slice(0, dotsMax).map(({ id, color }) => (
        <span key={id} aria-hidden style={markStyle(color)} className="mark-dot size-2 rounded-full" />
      ))}
    </span>
  )
}

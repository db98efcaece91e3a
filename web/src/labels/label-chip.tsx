import type { Label } from '@carillon/sdk'
import { Flag } from 'lucide-react'
import { markStyle } from './mark-style.ts'

/** The name of a label on its colour. A campaign has a flag. */
export function LabelChip({ label: { name, color, kind } }: { label: Pick<Label, 'name' | 'color' | 'kind'> }) {
  return (
    <span
      style={markStyle(color)}
      className="mark inline-flex min-w-0 items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium"
    >
      {kind === 'campaign' && <Flag aria-hidden className="size-3! shrink-0" />}
      <span className="truncate">{name}</span>
    </span>
  )
}

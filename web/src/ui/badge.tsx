import type { ReactNode } from 'react'

export type Tone = 'neutral' | 'draft' | 'bell' | 'verdigris' | 'dusk' | 'straw' | 'rust' | 'plum'

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'border-transparent bg-sunken text-quiet',
  draft: 'border-dashed border-edge text-quiet',
  bell: 'border-transparent bg-bell-wash text-bell',
  verdigris: 'border-transparent bg-verdigris-wash text-verdigris',
  dusk: 'border-transparent bg-dusk-wash text-dusk',
  straw: 'border-transparent bg-straw-wash text-straw',
  rust: 'border-transparent bg-rust-wash text-rust',
  plum: 'border-dashed border-plum bg-plum-wash text-plum',
}

/** A word with a mark. The colour is never alone: the word says the same. */
export function Badge({ tone = 'neutral', icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-chip border px-1.5 py-0.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5 ${tones[tone]}`}
    >
      {icon}
      {children}
    </span>
  )
}

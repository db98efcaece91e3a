import { mediaRules } from '@carillon/core'
import type { Account } from '../state/findings.ts'
import { channelDraft } from '../state/channel-draft.ts'
import type { ComposeState, PostFile } from '../state/compose-state.ts'
import type { Size } from './crop-box.ts'

/** `name` is what people call it. */
export type CropRatio = { name: string; ratio: number; refusedBy: readonly string[] }

const common: readonly { name: string; ratio: number }[] = [
  { name: '1:1', ratio: 1 },
  { name: '4:5', ratio: 4 / 5 },
  { name: '3:4', ratio: 3 / 4 },
  { name: '9:16', ratio: 9 / 16 },
  { name: '4:3', ratio: 4 / 3 },
  { name: '16:9', ratio: 16 / 9 },
  { name: '1.91:1', ratio: 1.91 },
]

/** The shapes that every one of these accounts takes, and the picture's own shape first. If there is none for all, each says who refuses it. */
export function cropRatios(
  { width, height }: Size,
  file: PostFile,
  { state, accounts }: { state: ComposeState; accounts: readonly Account[] },
): CropRatio[] {
  const limits = accounts.flatMap(({ slug, platform }) => {
    const rules = mediaRules(file, channelDraft(state, slug).format, platform)
    return rules ? [{ name: platform.name, min: rules.ratioMin ?? 0, max: rules.ratioMax ?? Infinity }] : []
  })
  // A shape on the limit is inside of it: the server allows for half a pixel.
  const refusedBy = (ratio: number) => [
    ...new Set(limits.flatMap(({ name, min, max }) => (ratio < min * 0.999 || ratio > max * 1.001 ? [name] : []))),
  ]
  const own = { name: 'original', ratio: width / height }
  const [original, ...shapes] = [own, ...common].map((shape) => ({ ...shape, refusedBy: refusedBy(shape.ratio) }))
  const fitting = shapes.filter((shape) => shape.refusedBy.length === 0)
  return original ? [original, ...(fitting.length > 0 ? fitting : shapes)] : shapes
}

/** The shape to begin with: the picture's own, or the nearest one that is taken. */
export function nearestRatio(ratios: readonly CropRatio[]): CropRatio | undefined {
  const [own] = ratios
  if (!own || own.refusedBy.length === 0) return own
  const distance = ({ ratio, refusedBy }: CropRatio) => refusedBy.length * 100 + Math.abs(Math.log(ratio / own.ratio))
  return ratios.toSorted((a, b) => distance(a) - distance(b))[0]
}

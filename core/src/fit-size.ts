import type { MediaRules } from '@carillon/contract'
import type { SizedSource } from './rendition-plan.ts'

/** The nearest size with the same aspect ratio that the rules allow. */
export function fitSize({ width, height, traits }: SizedSource, rules: MediaRules): { width: number; height: number } {
  const atMost = (limit: number | null, actual: number) => (limit === null ? 1 : limit / actual)
  const [shortSide, longSide] = [Math.min(width, height), Math.max(width, height)]
  const shrink = Math.min(
    1,
    atMost(rules.widthMax, width),
    atMost(rules.sideMax, longSide),
    atMost(rules.shortSideMax, shortSide),
    Math.sqrt(atMost(rules.pixelsMax, width * height)),
    Math.sqrt(atMost(rules.framePixelsMax, width * height * (traits.frames ?? 1))),
  )
  const grow = Math.max((rules.widthMin ?? 0) / width, (rules.sideMin ?? 0) / shortSide)
  const scale = grow > 1 ? grow : shrink
  if (scale === 1) return { width, height }
  // Rounded down: rounding up could exceed the limit on pixels by one row.
  return { width: Math.max(1, Math.floor(width * scale + 1e-9)), height: Math.max(1, Math.floor(height * scale + 1e-9)) }
}

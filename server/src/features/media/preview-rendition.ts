import type { MediaRules } from '@carillon/contract'
import type { MediaRow } from './media.store.ts'
import { planRendition } from './plan-rendition.ts'
import { toRenditionSource } from './prepare-media.ts'

/** Tells how a file would be changed for a platform, or why it cannot be used. Nothing is converted yet. */
export function previewRendition(row: MediaRow, rules: MediaRules): { violations: string[]; changes: string[] } {
  const plan = planRendition(toRenditionSource(row), rules)
  if (plan.kind === 'cannot') return { violations: plan.violations, changes: [] }
  return { violations: [], changes: plan.kind === 'as_is' ? [] : plan.changes }
}

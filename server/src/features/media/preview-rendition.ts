import type { MediaRules } from '@carillon/contract'
import { planRendition, type FileChange } from '@carillon/core'
import type { MediaRow } from './media.store.ts'
import { toRenditionSource } from './prepare-media.ts'

export type RenditionPreview = {
  violations: string[]
  changes: FileChange[]
  /** The type of the file that is published. */ mimeType: string
}

/** Tells how a file would be changed for a platform, or why it cannot be used. Nothing is converted yet. */
export function previewRendition(row: MediaRow, rules: MediaRules): RenditionPreview {
  const plan = planRendition(toRenditionSource(row), rules)
  if (plan.kind === 'cannot') return { violations: plan.violations, changes: [], mimeType: row.mime_type }
  if (plan.kind === 'as_is') return { violations: [], changes: [], mimeType: row.mime_type }
  return { violations: [], changes: plan.changes, mimeType: plan.kind === 'video' ? plan.plan.mimeType : plan.mimeType }
}

import type { ContentFormat, Detail, Manifest } from '@carillon/contract'
import { mediaRules, type DraftMedia } from '@carillon/core'
import { previewRendition, type RenditionPreview } from '../../media/preview-rendition.ts'
import type { PostFile } from './post-files.ts'

/** Compares a post's files with a platform's rules: which files cannot be made to fit, and what will be changed in the others. */
export function checkFiles(
  files: readonly PostFile[],
  format: ContentFormat,
  manifest: Manifest,
): { violations: Detail[]; changes: Detail[]; medias: DraftMedia[] } {
  const detail = (code: string, index: number, sentence: string, params: Detail['params'] = {}) => ({
    path: `medias[${index}]`,
    code,
    message: changeWarning(sentence, manifest),
    params: { ...params, platform: manifest.name },
  })
  const previews = files.map(({ row }) => {
    const rules = row && mediaRules({ kind: row.type, mimeType: row.mime_type }, format, manifest)
    return row && rules ? previewRendition(row, rules) : { violations: [], changes: [], mimeType: row?.mime_type ?? '' }
  })
  return {
    violations: previews.flatMap(({ violations }, index) => violations.map((each) => detail('media_unusable', index, each))),
    changes: previews.flatMap(({ changes }, index) =>
      changes.map(({ code, message, params }) => detail('media_converted', index, message, { ...params, change: code })),
    ),
    medias: files.flatMap((file, index) => toDraftMedia(file, previews[index])),
  }
}

/** The sentence of a channel about one file. */
export function changeWarning(change: string, { name }: Manifest): string {
  return `${name}: ${change}`
}

/**
 * A file that does not fit will be made to fit later, so its measures are left out: only its kind, type, length and alt text matter to the draft.
 * One that is sent as it is counts towards the size of all files.
 */
function toDraftMedia({ row, alt }: PostFile, preview: RenditionPreview | undefined): DraftMedia[] {
  if (!row) return []
  const isSentAsItIs = preview !== undefined && preview.changes.length === 0 && preview.violations.length === 0
  const unmeasured = { sizeBytes: isSentAsItIs ? Number(row.size_bytes) : 0, width: null, height: null, pages: null }
  const mimeType = preview?.mimeType ?? row.mime_type
  return [{ kind: row.type, mimeType, ...unmeasured, durationSeconds: row.duration_seconds, alt: alt ?? row.alt }]
}

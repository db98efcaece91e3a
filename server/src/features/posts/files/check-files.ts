import type { ContentFormat, Detail, Manifest } from '@carillon/contract'
import { mediaRules, type DraftMedia } from '@carillon/core'
import { previewRendition } from '../../media/preview-rendition.ts'
import type { PostFile } from './post-files.ts'

/** Compares a post's files with a platform's rules: which files cannot be made to fit, and what will be changed in the others. */
export function checkFiles(
  files: readonly PostFile[],
  format: ContentFormat,
  manifest: Manifest,
): { violations: Detail[]; changes: Detail[]; medias: DraftMedia[] } {
  const detail = (code: string, index: number, sentence: string) => ({
    path: `medias[${index}]`,
    code,
    message: `${manifest.name}: ${sentence}`,
    params: { platform: manifest.name },
  })
  const previews = files.map(({ row }) => {
    const rules = row && mediaRules(row.type, format, manifest)
    return row && rules ? previewRendition(row, rules) : { violations: [], changes: [] }
  })
  return {
    violations: previews.flatMap(({ violations }, index) => violations.map((each) => detail('media_unusable', index, each))),
    changes: previews.flatMap(({ changes }, index) => changes.map((each) => detail('media_converted', index, each))),
    medias: files.flatMap((file) => toDraftMedia(file)),
  }
}

/** The file will be made to fit later, so only its kind and its alt text are left for the draft's checks. */
function toDraftMedia({ row, alt }: PostFile): DraftMedia[] {
  if (!row) return []
  const unmeasured = { width: null, height: null, durationSeconds: null, pages: null }
  return [{ kind: row.type, mimeType: '', sizeBytes: 0, ...unmeasured, alt: alt ?? row.alt }]
}

import type { ContentFormat, Manifest } from '@carillon/contract'
import { mediaRules, type DraftMedia } from '@carillon/core'
import { judgeFile } from '../../media/inspect/judge-file.ts'
import type { Detail } from '../../../infra/problem/problem.ts'
import type { PostFile } from './post-files.ts'

/** What a platform would say to a post's files: what cannot be made to fit, and what will be changed so that it does. */
export function checkFiles(
  files: readonly PostFile[],
  format: ContentFormat,
  manifest: Manifest,
): { violations: Detail[]; changes: string[]; medias: DraftMedia[] } {
  const judged = files.map(({ row }) => {
    const rules = row && mediaRules(row.type, format, manifest)
    return row && rules ? judgeFile(row, rules) : { violations: [], changes: [] }
  })
  return {
    violations: judged.flatMap(({ violations }, at) =>
      violations.map((message) => ({ path: `medias[${at}]`, message: `${manifest.name}: ${message}` })),
    ),
    changes: judged.flatMap(({ changes }) => changes.map((change) => `${manifest.name}: ${change}`)),
    medias: files.flatMap((file) => fitted(file)),
  }
}

/** A file as it will be once made to fit: only its kind and its words are left to judge. */
function fitted({ row, alt }: PostFile): DraftMedia[] {
  if (!row) return []
  const unmeasured = { width: null, height: null, durationSeconds: null, pages: null }
  return [{ kind: row.type, mimeType: '', sizeBytes: 0, ...unmeasured, alt: alt ?? row.alt }]
}

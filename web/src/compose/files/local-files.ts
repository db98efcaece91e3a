import type { PostFile } from '../state/compose-state.ts'

/** The bytes of files that were chosen in this page, for showing them and for sending them again. They end with the page. */
const chosen = new Map<string, { file: File; url: string }>()

export function rememberFile(key: string, file: File): void {
  chosen.set(key, { file, url: URL.createObjectURL(file) })
}

export function chosenFile(key: string): File | null {
  return chosen.get(key)?.file ?? null
}

/** The picture in full, for cropping it; null if it must be loaded from the server. */
export function wholePictureAddress(key: string): string | null {
  return chosen.get(key)?.url ?? null
}

export function forgetFile(key: string): void {
  const known = chosen.get(key)
  if (known) URL.revokeObjectURL(known.url)
  chosen.delete(key)
}

/** Where a picture of a file can be loaded from; null if there is none. */
export function pictureAddress(workspaceId: string, { key, kind, mediaId, hasPicture }: PostFile): string | null {
  const known = chosen.get(key)
  if (known && kind === 'image') return known.url
  if (mediaId === null || !hasPicture) return null
  return mediaId.startsWith('http') ? null : `/api/workspaces/${workspaceId}/media/${mediaId}/thumbnail`
}

/** A video that was chosen in this page can be played; others show their first picture. */
export function videoAddress({ key, kind }: PostFile): string | null {
  return kind === 'video' ? (chosen.get(key)?.url ?? null) : null
}

import type { Found } from './connector.ts'
import { PlatformError } from './platform-error.ts'

/** U+FFFD stands for bytes that were no text. An id with it is not that of the post, and nothing could find or answer the post by it. */
export function isWholeId(id: string): boolean {
  return !id.includes('\u{FFFD}')
}

/** Returns what a platform said about a post, unless the id in it is damaged: such an answer is as good as lost. */
export function requireWholeIds<State extends Found>(found: State): State {
  const id = found.state === 'published' ? found.postId : found.state === 'processing' ? found.reference : ''
  if (isWholeId(id)) return found
  throw new PlatformError({ kind: 'unknown', platformCode: null, message: 'The id in the answer of the platform was damaged.' })
}

import type { Detail, PostType } from '@carillon/contract'
import { problem } from '../../infra/problem/problem.ts'
import { fieldsForChannel, type PostFields } from './post-fields.ts'

const mediaNames: Readonly<Record<Exclude<PostType, 'text'>, string>> = { photo: 'photo', video: 'video', document: 'PDF' }

/** What a post lacks on every platform. A draft may lack it; a post that is published or scheduled may not. */
export function listMissingParts(post: PostFields, slugs: readonly string[], hasFiles: boolean): Detail[] {
  const missing: Detail[] = []
  if (slugs.length === 0) {
    const message = 'No connection is chosen; choose at least one to publish to.'
    missing.push({ path: 'connections', code: 'connections_missing', message, params: { limit: 1, actual: 0, bound: 'least' } })
  }
  if (post.type === 'text') missing.push(...listMissingTexts(post, slugs))
  // With connections, the checks of each platform find this: a connection may have files of its own.
  else if (slugs.length === 0 && !hasFiles) {
    const message = `A ${post.type} post needs a ${mediaNames[post.type]}; this one has none.`
    missing.push({
      path: 'medias',
      code: 'media_missing',
      message,
      params: { type: post.type, limit: 1, actual: 0, bound: 'least' },
    })
  }
  return missing
}

/** Refuses a post that lacks something, unless it is a draft. */
export function requireParts(post: PostFields, slugs: readonly string[], hasFiles: boolean): void {
  const details = listMissingParts(post, slugs, hasFiles)
  if (details.length > 0) throw problem('request_invalid', { details })
}

/** A text post needs a text for every connection: the common one or the connection's own. */
function listMissingTexts(post: PostFields, slugs: readonly string[]): Detail[] {
  if (slugs.length === 0) {
    if (post.text) return []
    return [{ path: 'text', code: 'text_missing', message: 'A text post needs a text; this one is empty.', params: {} }]
  }
  const without = slugs.filter((slug) => !fieldsForChannel(post, slug).text)
  if (without.length === 0) return []
  const message = `A text is required; these connections have none of their own: ${without.join(', ')}.`
  return [{ path: 'text', code: 'text_missing', message, params: { connections: without } }]
}

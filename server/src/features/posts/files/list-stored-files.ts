import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { findAttached } from '../../media/attached-media.ts'
import type { PostFile, PostFiles } from './post-files.ts'
import type { PostRow } from '../post.store.ts'

/** The files of a stored post, in the same shape as those of a request. */
export async function listStoredFiles({ tx }: RequestScope, post: PostRow): Promise<PostFiles> {
  if (post.pending_medias) {
    const files = post.pending_medias.map(({ connection, entry, alt }) => ({ connection, file: { entry, row: null, alt } }))
    return groupByConnection(files, post)
  }
  const attached = post.type === 'text' ? [] : await findAttached(tx, post.workspace_id, [post.id])
  const files = attached.map(({ connection, row, alt }) => ({ connection, file: { entry: row.id, row, alt } }))
  return groupByConnection(files, post)
}

type ConnectionFile = { connection: string; file: PostFile }

/** A connection with files of its own has them even if they were deleted since: the common ones do not take their place. */
function groupByConnection(files: readonly ConnectionFile[], { platform_options }: PostRow): PostFiles {
  const byConnection = Map.groupBy(files, ({ connection }) => connection)
  const list = (connection: string) => (byConnection.get(connection) ?? []).map(({ file }) => file)
  const slugs = Object.keys(platform_options).filter((slug) => platform_options[slug]?.medias)
  return { common: list(''), own: new Map(slugs.map((slug) => [slug, list(slug)])) }
}

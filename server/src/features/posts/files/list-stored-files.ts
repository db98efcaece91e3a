import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { findAttached } from '../../media/attached-media.ts'
import type { PostFile, PostFiles } from './post-files.ts'
import type { PostRow } from '../post.store.ts'

/** The files of a stored post, in the same shape as those of a request. */
export async function listStoredFiles({ tx }: RequestScope, post: PostRow): Promise<PostFiles> {
  if (post.pending_medias) {
    const files = post.pending_medias.map(({ connection, entry, alt }) => ({ connection, file: { entry, row: null, alt } }))
    return groupByConnection(files)
  }
  const attached = post.type === 'text' ? [] : await findAttached(tx, post.workspace_id, [post.id])
  return groupByConnection(attached.map(({ connection, row, alt }) => ({ connection, file: { entry: row.id, row, alt } })))
}

function groupByConnection(files: readonly { connection: string; file: PostFile }[]): PostFiles {
  const byConnection = Map.groupBy(files, ({ connection }) => connection)
  const list = (connection: string) => (byConnection.get(connection) ?? []).map(({ file }) => file)
  return { common: list(''), own: new Map([...byConnection.keys()].filter((key) => key !== '').map((key) => [key, list(key)])) }
}
